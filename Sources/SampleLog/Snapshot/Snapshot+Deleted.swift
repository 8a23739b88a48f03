extension Snapshot {
  /// Returns which of some identifiers were those of a series' samples whose deletions are
  /// remembered.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when deletions cannot be read.
  /// - Complexity: Linear in the series' deletions that are remembered.
  package func deleted(
    _ ids: Set<Identifier>, in key: SeriesKey
  ) throws -> Set<Identifier> {
    var found: Set<Identifier> = []
    func take(_ block: Block, _ rows: Range<Int>) {
      for row in rows where block.sequence[row] <= end && !isErasedDeletion(block, row) {
        if ids.contains(block.id[row]) { found.insert(block.id[row]) }
      }
    }
    for segment in segments where segment.deletionCount > 0 {
      guard let series = segment.series(key, .deletion) else { continue }
      for index in series.blocks {
        take(
          try segment.block(index, [.id, .sequence]), segment.rows(of: series, inBlock: index))
      }
    }
    for memTable in memTables {
      for one in memTable.blocks(key, .deletion, through: end) {
        take(one.block, 0..<one.block.count)
      }
    }
    return found
  }
}
