/// A block that a query may have to read: in a segment or in the memtable.
package struct BlockSource: Sendable {
  enum Location: Sendable {
    case segment(Segment, Int)
    case memTable(Block)
  }

  /// The rows that are wanted of a block of a segment that has others', too; nil for all.
  ///
  /// What is known of them is then what is known of all rows: dates and values are within its
  /// ranges, but need not reach their ends, and there is no sum.
  private(set) var part: Range<Int>?

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
    if own.count < zone.count {
      part = own.lowerBound - first..<own.upperBound - first
      zone.count = own.count
      zone.sum = .nan
    }
  }

  /// Leaves out the rows of a part that do not start within bounds; returns false if that is all.
  mutating func narrow(to bounds: Bounds, _ cache: BlockCache) throws -> Bool {
    guard let rows = part, zone.isSorted, case .segment(let segment, let index) = location,
      !bounds.contains(zone.minStart, zone.maxStart)
    else { return true }
    let narrowed = try cache.rows(segment, index, rows, startingIn: bounds)
    (part, zone.count) = (narrowed, narrowed.count)
    return !narrowed.isEmpty
  }

  init(_ memTable: MemTableBlock, filter: Int) {
    location = .memTable(memTable.block)
    zone = memTable.zone
    self.filter = filter
  }

  /// Takes rows that have been read, and so are known exactly.
  init(_ block: Block, filter: Int) {
    location = .memTable(block)
    zone = ZoneMap(block)
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
