/// The rows that a query returned, in order; takes eight bytes per row in addition to their blocks.
public struct RowSelection: RandomAccessCollection, Sendable {
  @usableFromInline
  package struct Entry: Sendable {
    @usableFromInline package var block: UInt32
    @usableFromInline package var row: Int32
  }

  @usableFromInline package var blocks: [Block] = []
  @usableFromInline package var entries: [Entry] = []

  package init() {}

  /// Creates a selection of one row.
  init(_ row: Row) {
    blocks = [row.block]
    entries = [Entry(block: 0, row: Int32(row.row))]
  }

  /// The position of the first row.
  public var startIndex: Int { 0 }
  /// The position after the last row.
  public var endIndex: Int { entries.count }

  /// Returns the row at a position.
  public subscript(position: Int) -> Row {
    let entry = entries[position]
    return Row(blocks[Int(entry.block)], Int(entry.row))
  }

  /// Returns the rows that satisfy a condition, in the same order.
  package func keeping(_ isWanted: (Row) -> Bool) -> RowSelection {
    var result = self
    result.entries.removeAll { !isWanted(Row(blocks[Int($0.block)], Int($0.row))) }
    return result
  }

  mutating func append(_ block: Block, _ rows: [Int32]) {
    guard !rows.isEmpty else { return }
    let number = add(block)
    if entries.isEmpty {
      entries = [Entry](unsafeUninitializedCapacity: rows.count) { entries, count in
        for row in rows {
          entries.initializeElement(at: count, to: Entry(block: number, row: row))
          count &+= 1
        }
      }
    } else {
      entries.append(contentsOf: rows.lazy.map { Entry(block: number, row: $0) })
    }
  }

  /// Reserves capacity for rows, and for the few blocks that they usually come from.
  mutating func reserveCapacity(_ rows: Int) {
    entries.reserveCapacity(rows)
    blocks.reserveCapacity(32)
  }

  /// Adds a block and returns its index.
  mutating func add(_ block: Block) -> UInt32 {
    blocks.append(block)
    return UInt32(blocks.count - 1)
  }

  /// Appends a row of a previously added block.
  @inline(__always)
  mutating func append(row: Int, of number: UInt32) {
    entries.append(Entry(block: number, row: Int32(row)))
  }

  /// Sorts by an order and keeps the first `limit` rows.
  mutating func sort(by order: RowOrder, limit: Int) {
    if case .any = order {
      if entries.count > limit { entries.removeLast(entries.count - limit) }
      return
    }
    var last: SortKey?
    // The rows are usually sorted already, which is detected without allocating.
    let isSorted = forEachKey(order) { key in
      if let last, key < last { return false }
      last = key
      return true
    }
    if !isSorted {
      var keys: [SortKey] = []
      keys.reserveCapacity(entries.count)
      _ = forEachKey(order) { key in
        keys.append(key)
        return true
      }
      keys.sort()
      entries = keys.map(\.entry)
    }
    if entries.count > limit { entries.removeLast(entries.count - limit) }
    if entries.count * 4 < blocks.count { dropUnusedBlocks() }
  }

  /// Returns the sort date of the last row, or nil if there are no rows.
  func lastDate(_ order: RowOrder) -> Double? {
    guard let last else { return nil }
    if case .end = order { return last.block.end[last.row] }
    return last.start
  }

  private mutating func dropUnusedBlocks() {
    var numbers = [UInt32?](repeating: nil, count: blocks.count)
    var used: [Block] = []
    for index in entries.indices {
      let old = Int(entries[index].block)
      let number = numbers[old] ?? UInt32(used.count)
      if number == used.count { used.append(blocks[old]) }
      numbers[old] = number
      entries[index].block = number
    }
    blocks = used
  }

  /// Calls a function with the sort key of each row, until it returns false.
  @inline(__always)
  private func forEachKey(_ order: RowOrder, _ body: (SortKey) -> Bool) -> Bool {
    let isDescending = order.isDescending
    var isEnd = false
    if case .end = order { isEnd = true }
    var index = 0
    while index < entries.count {
      let number = entries[index].block
      let block = blocks[Int(number)]
      let dates = isEnd ? block.end : block.start
      let sequences = block.sequence
      while index < entries.count, entries[index].block == number {
        let row = Int(entries[index].row)
        let (date, sequence) = (dates[row], sequences[row])
        let key = SortKey(
          date: isDescending ? -date : date, sequence: isDescending ? ~sequence : sequence,
          entry: entries[index])
        guard body(key) else { return false }
        index += 1
      }
    }
    return true
  }

  private struct SortKey: Comparable {
    var date: Double
    var sequence: UInt64
    var entry: Entry

    static func == (left: SortKey, right: SortKey) -> Bool {
      left.date == right.date && left.sequence == right.sequence
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
      left.date == right.date ? left.sequence < right.sequence : left.date < right.date
    }
  }
}

extension RowSelection {
  /// Merges rows; both selections must be sorted by start date, then sequence number.
  mutating func merge(_ other: RowSelection) {
    if isEmpty {
      self = other
      return
    }
    let first = UInt32(blocks.count)
    blocks += other.blocks
    let starts = blocks.map(\.start)
    let sequences = blocks.map(\.sequence)
    let (mine, more) = (entries, other.entries)
    entries = [Entry](unsafeUninitializedCapacity: mine.count + more.count) { merged, count in
      var (left, right) = (0, 0)
      func date(_ entry: Entry) -> Double { starts[Int(entry.block)][Int(entry.row)] }
      func sequence(_ entry: Entry) -> UInt64 { sequences[Int(entry.block)][Int(entry.row)] }
      while right < more.count {
        let new = Entry(block: first + more[right].block, row: more[right].row)
        let start = date(new)
        while left < mine.count {
          let old = date(mine[left])
          if old > start || (old == start && sequence(mine[left]) > sequence(new)) { break }
          merged.initializeElement(at: count, to: mine[left])
          (left, count) = (left + 1, count + 1)
        }
        merged.initializeElement(at: count, to: new)
        (right, count) = (right + 1, count + 1)
      }
      while left < mine.count {
        merged.initializeElement(at: count, to: mine[left])
        (left, count) = (left + 1, count + 1)
      }
    }
  }

  /// Removes and returns the rows that start before a date; the rows must be sorted by start date.
  mutating func removePrefix(before date: Double) -> RowSelection {
    let end = entries.indices.partition {
      blocks[Int(entries[$0].block)].start[Int(entries[$0].row)] < date
    }
    var prefix = self
    prefix.entries.removeLast(entries.count - end)
    entries.removeFirst(end)
    dropUnusedBlocks()
    return prefix
  }
}

extension RowSelection {
  /// The series of the rows.
  package var keys: Set<SeriesKey> {
    var keys: Set<SeriesKey> = []
    var last: SeriesKey?
    forEachRow { block, row in
      let key = block.key(at: row)
      if key != last { keys.insert(key) }
      last = key
    }
    return keys
  }

  /// Calls a function with each row; faster than iterating, which retains a block for each row.
  @inlinable
  public func forEachRow(_ body: (Row) throws -> Void) rethrows {
    try forEachRow { block, row in try body(Row(block, row)) }
  }

  /// Calls a function with the block and index of each row, for code that reads columns.
  @inlinable
  package func forEachRow(_ body: (Block, Int) throws -> Void) rethrows {
    // Rows of several series alternate; retaining a block for each would dominate the cost.
    let references = blocks.map { Unmanaged.passUnretained($0) }
    defer { withExtendedLifetime(self) {} }
    var index = 0
    while index < entries.count {
      let number = entries[index].block
      try references[Int(number)]._withUnsafeGuaranteedRef { block in
        while index < entries.count, entries[index].block == number {
          try body(block, Int(entries[index].row))
          index += 1
        }
      }
    }
  }
}
