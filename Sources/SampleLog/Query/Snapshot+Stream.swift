extension Snapshot {
  /// Calls a function with the live samples that satisfy a filter, in order of start date, then
  /// sequence number, with few of them in memory at a time.
  ///
  /// Blocks of one series rarely overlap in time; then each is delivered as it is read. Overlapping
  /// blocks are merged first, so memory use is proportional to the overlap. It is large only if
  /// samples were saved in random order and never compacted.
  ///
  /// - Parameters:
  ///   - series: The series to read.
  ///   - filter: The condition that rows must satisfy.
  ///   - body: Receives rows that precede all later ones. Returns false to stop.
  /// - Throws: Any error that `body` throws, ``StoreError/invalid(_:)`` if a series belongs to
  ///   another database, and ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  public func stream(
    _ series: [Series], where filter: RowFilter = RowFilter(),
    _ body: (RowSelection) throws -> Bool
  ) throws {
    try stream(SeriesSelection(series, where: filter), body)
  }

  package func stream(
    _ series: [SeriesKey], where filter: RowFilter = RowFilter(),
    _ body: (RowSelection) throws -> Bool
  ) throws {
    try stream(SeriesSelection(series, where: filter), body)
  }

  /// Streams the rows of a selection, with a filter for each series.
  package func stream(
    _ selection: SeriesSelection, _ body: (RowSelection) throws -> Bool
  ) throws {
    try stream(try RowStream(self, selection), body)
  }

  /// Streams some columns of the rows of blocks, which must be sorted by minimum start date.
  ///
  /// - Parameters:
  ///   - sources: The blocks, from ``blocks(_:where:columns:)``.
  ///   - filter: The condition that rows must satisfy.
  ///   - columns: The columns that `body` reads in addition to start dates and sequence numbers.
  ///   - body: Receives rows that precede all later ones. Returns false to stop.
  /// - Throws: The errors of ``stream(_:where:_:)``.
  package func stream(
    _ sources: [BlockSource], where filter: RowFilter, columns: ColumnSet,
    _ body: (RowSelection) throws -> Bool
  ) throws {
    try stream(sources, where: filter, columns: { _ in columns }, body)
  }

  /// Streams the rows of blocks; `columns` returns the columns that `body` reads of each block.
  package func stream(
    _ sources: [BlockSource], where filter: RowFilter,
    columns: @escaping @Sendable (BlockSource) -> ColumnSet,
    _ body: (RowSelection) throws -> Bool
  ) throws {
    try Self.refuseIfMany(sources, [filter])
    var rest = sources[...]
    let stream = RowStream(self, [filter], { columns($0).union([.start, .sequence]) }) { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    try self.stream(stream, body)
  }

  private func stream(
    _ stream: RowStream, _ body: (RowSelection) throws -> Bool
  ) throws {
    while let rows = try stream.next() {
      if try !body(rows) { return }
    }
  }
}
