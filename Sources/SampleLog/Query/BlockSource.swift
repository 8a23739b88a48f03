/// A block that a query may have to read: in a segment or in the memtable.
package struct BlockSource: Sendable {
  enum Location: Sendable {
    case segment(Segment, Int)
    case memTable(Block)
  }

  /// The rows that are wanted of a segment's block that has others, too; nil for all.
  ///
  /// What is known of them is then what is known of all rows: dates and values are within its
  /// ranges, but need not reach their ends, and there is no sum.
  private(set) var part: Range<Int>?

  /// Whether rows have been left out that do not start where the filter wants them.
  private var isNarrow = false

  var location: Location
  /// What is known of the rows without reading them.
  package internal(set) var zone: ZoneMap
  /// The number of the filter in the selection that asked for the block.
  let filter: Int

  /// Takes the rows of a block that are among some of the segment's; those of several subjects are
  /// not sorted by start date.
  init(
    _ segment: Segment, _ index: Int, rows: Range<Int>, isSorted: Bool = true, filter: Int
  ) {
    location = .segment(segment, index)
    zone = segment.zone(index)
    zone.isSorted = isSorted
    self.filter = filter
    let first = segment.firstRow(ofBlock: index)
    let own = rows.clamped(to: first..<first + zone.count)
    if own.count < zone.count { take(own.lowerBound - first..<own.upperBound - first) }
  }

  /// Leaves out rows of a segment's block that do not start where a filter wants them; returns
  /// false if that is all of them.
  mutating func narrow(to filter: RowFilter, _ cache: BlockCache) throws -> Bool {
    guard !isNarrow, zone.isSorted, case .segment(let segment, let index) = location else {
      return true
    }
    isNarrow = true
    let bounds = areRowsInstant ? filter.start.intersection(filter.end) : filter.start
    if bounds.contains(zone.minStart, zone.maxStart) { return true }
    let rows = try cache.rows(segment, index, part ?? 0..<zone.count, startingIn: bounds)
    take(rows)
    return !rows.isEmpty
  }

  /// Leaves out all but some of the wanted rows of a segment's block.
  mutating func take(_ rows: Range<Int>) {
    part = rows
    zone.count = rows.count
    zone.sum = .nan
  }

  init(_ memTable: MemTableBlock, filter: Int) {
    location = .memTable(memTable.block)
    zone = memTable.zone
    self.filter = filter
  }

  /// The columns of rows that have been read.
  static let known: ColumnSet = [.start, .end, .sequence]
  private static let followed: ColumnSet = [.value, .unit, .source]

  /// Takes rows that have been read, with the columns in ``known``.
  ///
  /// Their values are followed if the block has these and what they mean.
  init(_ block: Block, filter: Int) {
    location = .memTable(block)
    if block.columns.isSuperset(of: Self.followed) {
      zone = ZoneMap(block)
    } else {
      zone = ZoneMap()
      for row in 0..<block.count {
        zone.include(
          start: block.start[row], end: block.end[row], sequence: block.sequence[row])
      }
    }
    self.filter = filter
  }

  /// Whether a row of the block can satisfy a filter.
  package func mayMatch(_ filter: RowFilter) -> Bool { zone.mayMatch(filter) }

  /// Reads the columns of the wanted rows; a whole block is kept in the cache when it is likely to
  /// be wanted again.
  func load(_ columns: ColumnSet, _ cache: BlockCache, isKept: Bool = false) throws -> Block {
    switch location {
    case .memTable(let block): block
    case .segment(let segment, let index):
      if let part {
        try cache.rows(segment, index, part, columns)
      } else if isKept {
        try cache.block(segment, index)
      } else {
        try segment.block(index, columns)
      }
    }
  }

  /// The deleted rows, when some of the block's rows may be among them.
  func relevant(_ dead: DeletionVector) -> DeletionVector? {
    dead.mayIntersect(zone.minSequence, zone.maxSequence) ? dead : nil
  }
}

extension ZoneMap {
  /// Whether a row can satisfy a filter.
  func mayMatch(_ filter: RowFilter) -> Bool {
    guard filter.start.intersects(minStart, maxStart), filter.end.intersects(minEnd, maxEnd) else {
      return false
    }
    if let value = filter.value, let unit {
      // A block with NaN values has no usable range, and NaN is in none.
      guard let bounds = value(unit), bounds.intersects(minValue, maxValue) else {
        return false
      }
    }
    if let wanted = filter.source, let source, !wanted(source) { return false }
    return true
  }
}
