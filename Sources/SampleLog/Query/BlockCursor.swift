/// A scan that its consumer advances block by block, while threads decode the blocks ahead.
///
/// The pull-based form of ``Snapshot/scan(_:where:columns:_:)``. Not thread-safe.
package final class BlockCursor<Value: Sendable> {
  private let blocks: ReadAhead<BlockSource, Value?>
  private var rest: ArraySlice<BlockSource>
  // Begins with one block and doubles, so that a consumer that stops early wastes little.
  private var groupSize = 1

  /// Creates a scan of live rows.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to read.
  ///   - selection: The series and the conditions that rows must satisfy.
  ///   - columns: The columns that `convert` reads.
  ///   - isWanted: Returns whether a block with this zone map may have rows of interest.
  ///   - convert: Converts a block and the indices of its matching rows, which are in ascending
  ///     order and not empty. Called on several threads.
  /// - Throws: ``StoreError/invalid(_:)`` if a series belongs to another database.
  package init(
    _ snapshot: Snapshot, _ selection: SeriesSelection, columns: ColumnSet,
    where isWanted: (ZoneMap) -> Bool = { _ in true },
    _ convert: @escaping @Sendable (Block, [Int32]) throws -> Value
  ) throws {
    try selection.check(snapshot.symbols)
    let filters = selection.filters
    rest = try snapshot.blockSources(of: selection).filter { isWanted($0.zone) }[...]
    blocks = ReadAhead { source in
      var rows: [Int32] = []
      let block = try snapshot.select(
        from: source, filters, columns.subtracting(.target), isCached: false, &rows)
      return try block.map { try convert($0, rows) }
    }
  }

  deinit { blocks.stop() }

  /// Returns the converted value of the next block with matching rows, in no particular order, or
  /// nil at the end.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read, or an error
  ///   that the conversion throws.
  package func next() throws -> Value? {
    while true {
      let waiting = blocks.count
      if waiting <= groupSize / 2 {
        blocks.add(Array(rest.prefix(groupSize - waiting)))
        rest = rest.dropFirst(groupSize - waiting)
        groupSize = min(groupSize * 2, Snapshot.groupSize)
      }
      guard let value = try blocks.next() else { return nil }
      if let value { return value }
    }
  }
}

extension Snapshot {
  /// The approximate number of rows of each series, including deleted rows but not child rows.
  ///
  /// - Complexity: Linear in the number of series and segments; reads no block.
  package var rowCounts: [SeriesKey: Int] {
    var counts: [SeriesKey: Int] = [:]
    for segment in segments {
      for key in segment.series.keys where key.kind == .sample {
        guard let series = segment.series(key.series, .sample) else { continue }
        counts[key.series, default: 0] += series.rows.count
      }
    }
    for memTable in memTables {
      for series in memTable.series(.sample) { counts[series.key, default: 0] += series.rows }
    }
    return counts.filter { !symbols.isChildType($0.key.type) }
  }

  /// Returns an upper bound on the number of rows that satisfy a selection, from zone maps alone.
  package func estimatedRowCount(_ selection: SeriesSelection) throws -> Int {
    try blockSources(of: selection).reduce(0) { $0 + $1.zone.count }
  }
}

extension Block {
  /// The subject of each row, or nil if all rows belong to one subject.
  package var subjectColumn: UnsafePointer<Symbol>? { subjects }
}
