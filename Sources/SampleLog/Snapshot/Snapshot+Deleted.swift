extension Snapshot {
  /// Returns the subset of identifiers for which a series has a retained deletion.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if deletions cannot be read.
  /// - Complexity: Linear in the number of retained deletions of the series.
  package func deleted(
    _ ids: Set<Identifier>, in key: SeriesKey
  ) throws -> Set<Identifier> {
    var found: Set<Identifier> = []
    try forEachDeletion(in: key, [.id, .sequence]) { row in
      if ids.contains(row.id) { found.insert(row.id) }
    }
    return found
  }

  /// Returns the identifiers that a series deleted after a sequence number, if it still has the
  /// deletions.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if deletions cannot be read.
  /// - Complexity: Linear in the number of retained deletions of the series.
  package func deleted(in key: SeriesKey, after sequence: UInt64) throws -> Set<Identifier> {
    var found: Set<Identifier> = []
    try forEachDeletion(in: key, [.id, .sequence]) { row in
      if row.sequence > sequence { found.insert(row.id) }
    }
    return found
  }

  /// Calls a function with each retained deletion of a series.
  ///
  /// - Parameters:
  ///   - key: The series.
  ///   - columns: The columns that the function reads; must include sequence numbers.
  ///   - body: Receives a deletion.
  /// - Throws: Any error that `body` throws, and ``StoreError/damaged(file:offset:reason:)`` if
  ///   deletions cannot be read.
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
      for one in try memTable.blocks(key, .deletion, through: end) {
        try visit(one.block, 0..<one.block.count)
      }
    }
  }
}
