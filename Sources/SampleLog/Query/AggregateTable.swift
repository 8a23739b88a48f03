/// The aggregates of groups by interval, of which only those are kept that have samples, in pages
/// of sixteen intervals.
///
/// Of each group there are besides four bytes for each page it could have. One thread uses it at a
/// time.
final class AggregateTable: @unchecked Sendable {
  struct Key: Hashable {
    var subject: Symbol?
    var source: Symbol?
    var unit: Symbol
  }

  /// Which interval a date lies in.
  let search: IntervalSearch
  private var numbers: [Key: Int] = [:]
  private var keys: [Key] = []
  // The group that was asked for last.
  private var last: (key: Key, number: Int)?

  private static let pageBits = 4
  private static let pageLength = 1 << pageBits
  private let pagesOfGroup: Int
  /// For each group and page where the page is, -1 for none.
  private var pages: [Int32] = []
  private var cells = UnsafeMutablePointer<Cell>.allocate(capacity: 0)
  private var cellCount = 0
  private var capacity = 0
  /// The intervals of some rows.
  private var intervals: [Int32] = []

  init(_ search: IntervalSearch) {
    self.search = search
    pagesOfGroup = (search.count + Self.pageLength - 1) >> Self.pageBits
  }

  deinit { cells.deallocate() }

  /// So many groups, of so many pages, have all their pages side by side.
  private static let wholeGroups = 16
  private static let wholePages = 1 << 10

  /// Returns the number of a group.
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

  /// Adds what is known of samples of one interval.
  func add(_ aggregate: Aggregate, to group: Int, _ interval: Int) {
    // In two steps: finding the cell may move all of them.
    let position = cell(group, interval)
    cells[position].add(aggregate)
  }

  /// Adds rows to one interval, or each to that of its start date, which must be within the
  /// boundaries.
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

  /// Where the aggregate of a group and interval is.
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

  /// Adds what another table has, whose search is the same.
  func add(_ other: AggregateTable) {
    for (group, key) in other.keys.enumerated() {
      let own = number(of: key)
      other.forEachInterval(of: group) { add($1, to: own, $0) }
    }
  }

  /// The groups that have samples, in the order of their keys' symbols, then of intervals.
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

  /// Calls a function with each interval of a group that has samples, rising.
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

/// An aggregate that two additions and comparisons of pairs keep up.
private struct Cell {
  /// How many values there are, and their sum.
  private var sums = SIMD2<Double>.zero
  /// The least value, and the greatest with the other sign.
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
