/// A block that a query may have to read: in a segment or in the memtable.
struct BlockSource: Sendable {
  enum Place: Sendable {
    case segment(Segment, Int)
    case memTable(Block)
  }

  var place: Place
  var extent: Extent
  /// The number of the filter in the selection that asked for the block.
  let filter: Int

  init(_ segment: Segment, _ index: Int, filter: Int) {
    place = .segment(segment, index)
    extent = Extent(segment.zone(index))
    self.filter = filter
  }

  init(_ memTable: MemTableBlock, filter: Int) {
    place = .memTable(memTable.block)
    extent = memTable.extent
    self.filter = filter
  }

  /// Whether a row of the block can satisfy a filter.
  func mayMatch(_ filter: RowFilter) -> Bool {
    guard filter.start.intersects(extent.minStart, extent.maxStart),
      filter.end.intersects(extent.minEnd, extent.maxEnd)
    else { return false }
    guard case .segment(let segment, let index) = place else { return true }
    guard filter.value != nil || filter.source != nil else { return true }
    let zone = segment.zone(index)
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
    switch place {
    case .memTable(let block): block
    case .segment(let segment, let index):
      if let cache { try cache.block(segment, index) } else { try segment.block(index, columns) }
    }
  }

  /// The deleted rows, when some of the block's rows may be among them.
  func relevant(_ dead: DeletionVector) -> DeletionVector? {
    dead.mayIntersect(extent.minSequence, extent.maxSequence) ? dead : nil
  }
}

extension Extent {
  init(_ zone: Zone) {
    self.init()
    minStart = zone.minStart
    maxStart = zone.maxStart
    minEnd = zone.minEnd
    maxEnd = zone.maxEnd
    minSequence = zone.minSequence
    maxSequence = zone.maxSequence
    minValue = zone.minValue
    maxValue = zone.maxValue
  }
}
