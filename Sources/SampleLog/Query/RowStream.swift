/// A stream of matching rows in order of start date, then sequence number.
///
/// The pull-based form of ``Snapshot/stream(_:where:_:)``. Blocks that do not overlap are returned
/// as they are read; overlapping blocks are merged first. Not thread-safe.
package final class RowStream {
  private let blocks: ReadAhead<BlockSource, (ZoneMap, RowSelection)>
  private let sources: (Int) -> [BlockSource]
  // Sorted rows that cannot be returned yet, because a later block may precede them.
  private var pending = RowSelection()
  private var latest = -Double.infinity
  private var isAtEnd = false

  /// Creates a stream of the rows of a selection, with `columns` and the start dates and sequence
  /// numbers.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if a series belongs to another database.
  package convenience init(
    _ snapshot: Snapshot, _ selection: SeriesSelection,
    columns: ColumnSet = Snapshot.resultColumns
  ) throws {
    try selection.check(snapshot.symbols)
    var sources = try OrderedSources(
      snapshot, selection, .start(ascending: true), isLimited: false)
    self.init(
      snapshot, selection.filters, { _ in columns.union([.start, .sequence]) },
      sources: { sources.next($0) })
  }

  /// Creates a stream of the blocks that `sources` returns, which must be sorted by minimum start
  /// date.
  init(
    _ snapshot: Snapshot, _ filters: [RowFilter],
    _ columns: @escaping @Sendable (BlockSource) -> ColumnSet,
    sources: @escaping (Int) -> [BlockSource]
  ) {
    self.sources = sources
    blocks = ReadAhead { source in
      var rows: [Int32] = []
      var selected = RowSelection()
      let block = try snapshot.select(
        from: source, filters, columns(source), isCached: false, &rows)
      if let block {
        selected.append(block, rows)
        selected.sort(by: .start(ascending: true), limit: .max)
      }
      return (source.zone, selected)
    }
  }

  deinit { blocks.stop() }

  /// Returns the next rows in order, or nil at the end.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  package func next() throws -> RowSelection? {
    while !isAtEnd {
      // Add items in batches, because an idle thread sleeps and is slow to wake up.
      let waiting = blocks.count
      if waiting <= Snapshot.groupSize / 2 { blocks.add(sources(Snapshot.groupSize - waiting)) }
      guard let (zone, found) = try blocks.next() else {
        isAtEnd = true
        return pending.isEmpty ? nil : pending
      }
      var passed: RowSelection
      if zone.minStart > latest {
        passed = pending
        pending = RowSelection()
      } else {
        passed = pending.removePrefix(before: zone.minStart)
      }
      latest = max(latest, zone.maxStart)
      pending.merge(found)
      if !passed.isEmpty { return passed }
    }
    return nil
  }
}
