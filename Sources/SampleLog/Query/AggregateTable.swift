/// A sparse table of aggregates by group and interval, allocated in pages of sixteen intervals.
///
/// Each group also takes four bytes for each possible page. Not thread-safe.
final class AggregateTable: @unchecked Sendable {
  struct Key: Hashable {
    var subject: Symbol?
    var source: Symbol?
    var unit: Symbol
  }

  /// The search for the interval of a date.
  let search: IntervalSearch
  private var numbers: [Key: Int] = [:]
  private var keys: [Key] = []
  // The group of the last look-up.
  private var last: (key: Key, number: Int)?

  private static let pageBits = 4
  private static let pageLength = 1 << pageBits
  private let pagesOfGroup: Int
  /// The index of each page by group and page number, or -1 if it is not allocated.
  private var pages: [Int32] = []
  private var cells = UnsafeMutablePointer<Cell>.allocate(capacity: 0)
  private var cellCount = 0
  private var capacity = 0
  /// A buffer for the intervals of a batch of rows.
  private var intervals: [Int32] = []

  init(_ search: IntervalSearch) {
    self.search = search
    pagesOfGroup = (search.count + Self.pageLength - 1) >> Self.pageBits
  }

  deinit { cells.deallocate() }

  /// The first groups get all their pages contiguously if there are at most `wholePages` of them.
  private static let wholeGroups = 16
  private static let wholePages = 1 << 10

  /// Returns the number of a group, and adds the group if it is new.
  func number(of key: Key) -> Int {
    if let last, last.key == key { return last.number }
    let number = numbers[key] ?? keys.count
    if number == keys.count {
      numbers[key] = number
      keys.append(key)
      pages.append(contentsOf: repeatElement(-1, count: pagesOfGroup))
      if isWhole(number) {
        for page in 0..<pagesOfGroup { _ = addPage(number * pagesOfGroup + page) }
      }
    }
    last = (key, number)
    return number
  }

  private func isWhole(_ group: Int) -> Bool {
    group < Self.wholeGroups && pagesOfGroup <= Self.wholePages
  }

  /// Adds an aggregate of samples of one interval.
  func add(_ aggregate: Aggregate, to group: Int, _ interval: Int) {
    // Two statements, because finding the cell may reallocate all cells.
    let position = cell(group, interval)
    cells[position].add(aggregate)
  }

  /// Adds rows to one interval, or if `interval` is nil, each to the interval of its start date.
  ///
  /// The start dates must lie within the boundaries.
  func add(_ block: Block, _ rows: some Collection<Int>, to group: Int, _ interval: Int?) {
    let value = block.value
    if let interval {
      let position = cell(group, interval)
      var cell = cells[position]
      for row in rows { cell.add(value[row]) }
      cells[position] = cell
      return
    }
    if search.isEven, isWhole(group) {
      if intervals.count < block.count {
        intervals = [Int32](repeating: 0, count: max(block.count, Block.maximumRows))
      }
      let first = cells + cell(group, 0)
      intervals.withUnsafeMutableBufferPointer { intervals in
        search.findIntervals(block.start, rows, into: intervals)
        var position = 0
        for row in rows {
          first[Int(intervals[position])].add(value[row])
          position &+= 1
        }
      }
      return
    }
    var interval = search.count
    var position = 0
    for row in rows {
      let next = search.interval(of: block.start[row], near: interval)
      if next != interval {
        interval = next
        position = cell(group, interval)
      }
      cells[position].add(value[row])
    }
  }

  /// Returns the index of the cell of a group and interval.
  @inline(__always)
  private func cell(_ group: Int, _ interval: Int) -> Int {
    let index = group &* pagesOfGroup &+ interval &>> Self.pageBits
    let page = pages[index]
    let first = page >= 0 ? Int(page) << Self.pageBits : addPage(index)
    return first &+ interval & (Self.pageLength &- 1)
  }

  private func addPage(_ index: Int) -> Int {
    let first = cellCount
    pages[index] = Int32(first >> Self.pageBits)
    cellCount += Self.pageLength
    if cellCount > capacity {
      capacity = max(2 * capacity, 64 * Self.pageLength)
      let larger = UnsafeMutablePointer<Cell>.allocate(capacity: capacity)
      larger.moveInitialize(from: cells, count: first)
      cells.deallocate()
      cells = larger
    }
    (cells + first).initialize(repeating: Cell(), count: Self.pageLength)
    return first
  }

  /// Merges another table that has the same boundaries.
  func add(_ other: AggregateTable) {
    for (group, key) in other.keys.enumerated() {
      let own = number(of: key)
      other.forEachInterval(of: group) { add($1, to: own, $0) }
    }
  }

  /// Returns the groups that have samples, sorted by the symbols of their keys, then by interval.
  func groups(_ symbols: SymbolTable) -> [AggregateGroup] {
    var found: [AggregateGroup] = []
    let order = keys.indices.sorted { Self.isBefore(keys[$0], keys[$1]) }
    for group in order {
      let key = keys[group]
      forEachInterval(of: group) { interval, aggregate in
        found.append(
          AggregateGroup(
            interval: interval, subject: key.subject, source: key.source, unit: key.unit,
            aggregate: aggregate, table: symbols.number))
      }
    }
    return found
  }

  private static func isBefore(_ left: Key, _ right: Key) -> Bool {
    (left.subject ?? 0, left.source ?? 0, left.unit)
      < (right.subject ?? 0, right.source ?? 0, right.unit)
  }

  /// Calls a function with each interval of a group that has samples, in ascending order.
  private func forEachInterval(of group: Int, _ body: (Int, Aggregate) -> Void) {
    for page in 0..<pagesOfGroup {
      let first = Int(pages[group * pagesOfGroup + page]) << Self.pageBits
      guard first >= 0 else { continue }
      for index in 0..<Self.pageLength {
        let aggregate = cells[first + index].aggregate
        if aggregate.count > 0 { body(page << Self.pageBits + index, aggregate) }
      }
    }
  }
}

/// An aggregate updated by one SIMD addition and one SIMD comparison per value.
private struct Cell {
  /// The count and the sum of the values.
  private var sums = SIMD2<Double>.zero
  /// The minimum and the negated maximum of the values.
  private var least = SIMD2(repeating: Double.infinity)

  init() {}

  @inline(__always)
  mutating func add(_ value: Double) {
    sums += SIMD2(1, value)
    let both = SIMD2(value, -value)
    least.replace(with: both, where: both .< least)
  }

  mutating func add(_ other: Aggregate) {
    sums += SIMD2(Double(other.count), other.sum)
    let both = SIMD2(other.minimum, -other.maximum)
    least.replace(with: both, where: both .< least)
  }

  var aggregate: Aggregate {
    var aggregate = Aggregate()
    aggregate.count = Int(sums[0])
    aggregate.sum = sums[1]
    aggregate.minimum = least[0]
    aggregate.maximum = -least[1]
    return aggregate
  }
}
