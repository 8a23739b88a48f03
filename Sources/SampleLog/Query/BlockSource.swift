/// A block that a query may have to read, in a segment or in the memtable.
package struct BlockSource: Sendable {
  enum Location: Sendable {
    case segment(Segment, Int)
    case memTable(Block)
  }

  /// The selected rows of a segment's block, or nil for all rows.
  ///
  /// If it is set, the zone map covers more than the selected rows: its ranges are bounds that need
  /// not be attained, and it has no sum.
  private(set) var part: Range<Int>?

  /// Whether rows that start outside the filter's bounds have been excluded.
  private var isNarrow = false

  var location: Location
  /// The zone map of the rows.
  package internal(set) var zone: ZoneMap
  /// The index of the filter in the selection that produced the block.
  let filter: Int

  /// Selects the rows of a block that are within a range of the segment's rows.
  ///
  /// Rows of several subjects are not sorted by start date.
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

  /// Excludes rows of a segment's block that start outside a filter's bounds.
  ///
  /// Returns false if no rows remain.
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

  /// Restricts the selection to a range of the rows of a segment's block.
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

  /// The columns that a block must have to become a source.
  static let known: ColumnSet = [.start, .end, .sequence]
  private static let summarized: ColumnSet = [.value, .unit, .source]

  /// Wraps rows that have been decoded, with at least the columns in ``known``.
  ///
  /// The zone map includes values if the block has values, units and sources.
  init(_ block: Block, filter: Int) {
    location = .memTable(block)
    if block.columns.isSuperset(of: Self.summarized) {
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

  /// Returns whether a row of the block can satisfy a filter.
  package func mayMatch(_ filter: RowFilter) -> Bool { zone.mayMatch(filter) }

  /// Reads columns of the selected rows; caches a whole block if `isKept`.
  func load(_ columns: ColumnSet, _ cache: BlockCache, isKept: Bool = false) throws -> Block {
    try InlineWork.spend(rows: part?.count ?? zone.count, blocks: 1)
    return switch location {
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

  /// Returns the deletion vector, or nil if none of the block's rows can be in it.
  func relevant(_ deleted: DeletionVector) -> DeletionVector? {
    deleted.mayIntersect(zone.minSequence, zone.maxSequence) ? deleted : nil
  }
}

extension ZoneMap {
  /// Returns whether a row in the zone map's ranges can satisfy a filter.
  func mayMatch(_ filter: RowFilter) -> Bool {
    guard filter.start.intersects(minStart, maxStart), filter.end.intersects(minEnd, maxEnd) else {
      return false
    }
    if let value = filter.value, let unit {
      // A block with NaN values has no usable range, and no bounds contain NaN.
      guard let bounds = value(unit), bounds.intersects(minValue, maxValue) else {
        return false
      }
    }
    if let wanted = filter.source, let source, !wanted(source) { return false }
    return true
  }
}
