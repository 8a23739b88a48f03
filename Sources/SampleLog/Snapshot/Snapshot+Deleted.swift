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
    try forEachDeletion(in: key, [.id, .sequence]) { row in
      if ids.contains(row.id) { found.insert(row.id) }
    }
    return found
  }

  /// Calls a function with each deletion of a series' samples that is remembered.
  ///
  /// - Parameters:
  ///   - key: The series.
  ///   - columns: The columns that the function reads, sequence numbers among them.
  ///   - body: Takes a deletion.
  /// - Throws: What `body` throws, and ``StoreError/damaged(file:offset:reason:)`` when deletions
  ///   cannot be read.
  func forEachDeletion(
    in key: SeriesKey, _ columns: ColumnSet, _ body: (Row) throws -> Void
  ) throws {
    func visit(_ block: Block, _ rows: Range<Int>) throws {
      for row in rows where block.sequence[row] <= end && !isErasedDeletion(block, row) {
        try body(Row(block, row))
      }
    }
    for segment in segments where segment.deletionCount > 0 {
      guard let series = segment.series(key, .deletion) else { continue }
      for index in series.blocks {
        try visit(try segment.block(index, columns), segment.rows(of: series, inBlock: index))
      }
    }
    for memTable in memTables {
      for one in memTable.blocks(key, .deletion, through: end) {
        try visit(one.block, 0..<one.block.count)
      }
    }
  }
}
