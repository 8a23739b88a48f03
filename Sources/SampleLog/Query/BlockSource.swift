/// A block that a query may have to read: in a segment or in the memtable.
package struct BlockSource: Sendable {
  enum Location: Sendable {
    case segment(Segment, Int)
    case memTable(Block)
  }

  var location: Location
  /// What is known of the rows without reading them.
  package internal(set) var zone: ZoneMap
  /// The number of the filter in the selection that asked for the block.
  let filter: Int

  init(_ segment: Segment, _ index: Int, filter: Int) {
    location = .segment(segment, index)
    zone = segment.zone(index)
    self.filter = filter
  }

  init(_ memTable: MemTableBlock, filter: Int) {
    location = .memTable(memTable.block)
    zone = memTable.zone
    self.filter = filter
  }

  /// Whether a row of the block can satisfy a filter.
  package func mayMatch(_ filter: RowFilter) -> Bool {
    guard filter.start.intersects(zone.minStart, zone.maxStart),
      filter.end.intersects(zone.minEnd, zone.maxEnd)
    else { return false }
    if let value = filter.value, let unit = zone.unit {
      // A block with NaN values has no usable range, and NaN is in none.
      guard let bounds = value(unit), bounds.intersects(zone.minValue, zone.maxValue) else {
        return false
      }
    }
    if let source = filter.source, let only = zone.source, !source(only) { return false }
    return true
  }

  /// Reads the columns; through the cache when the block is likely to be wanted again.
  func load(_ columns: ColumnSet, _ cache: BlockCache?) throws -> Block {
    switch location {
    case .memTable(let block): block
    case .segment(let segment, let index):
      if let cache { try cache.block(segment, index) } else { try segment.block(index, columns) }
    }
  }

  /// The deleted rows, when some of the block's rows may be among them.
  func relevant(_ dead: DeletionVector) -> DeletionVector? {
    dead.mayIntersect(zone.minSequence, zone.maxSequence) ? dead : nil
  }
}
