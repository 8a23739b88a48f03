extension Snapshot {
  /// Calls a function with the live samples that satisfy a filter, in order of start date, then
  /// sequence number, holding few of them in memory at a time.
  ///
  /// Blocks of one series rarely overlap in time, and then each is passed on as it is read; those
  /// that do are merged first. So memory is that of the blocks that overlap, which are many only
  /// where samples were saved in random order and never compacted.
  ///
  /// - Parameters:
  ///   - series: The subjects and types to look in.
  ///   - filter: What rows must satisfy.
  ///   - body: Takes rows that come before all that follow; returns false to stop.
  /// - Throws: What `body` throws, ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
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

  /// The same with a filter for each series.
  package func stream(
    _ selection: SeriesSelection, _ body: (RowSelection) throws -> Bool
  ) throws {
    try selection.check(symbols)
    var sources = OrderedSources(
      self, selection, .start(ascending: true), isLimited: false)
    try stream(
      selection.filters, { _ in Self.resultColumns }, next: { sources.next($0) }, body)
  }

  /// The same for some columns of blocks that are given in the order of their first start date.
  ///
  /// - Parameters:
  ///   - sources: The blocks, from ``blocks(_:where:columns:)``.
  ///   - filter: What rows must satisfy.
  ///   - columns: The columns that `body` reads, start dates and sequence numbers besides.
  ///   - body: Takes rows that come before all that follow; returns false to stop.
  /// - Throws: What ``stream(_:where:_:)`` throws.
  package func stream(
    _ sources: [BlockSource], where filter: RowFilter, columns: ColumnSet,
    _ body: (RowSelection) throws -> Bool
  ) throws {
    try stream(sources, where: filter, columns: { _ in columns }, body)
  }

  /// The same where `columns` says of each block which columns `body` reads.
  package func stream(
    _ sources: [BlockSource], where filter: RowFilter,
    columns: @escaping @Sendable (BlockSource) -> ColumnSet,
    _ body: (RowSelection) throws -> Bool
  ) throws {
    var rest = sources[...]
    try stream(
      [filter], { columns($0).union([.start, .sequence]) },
      next: { count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }, body)
  }

  private func stream(
    _ filters: [RowFilter], _ columns: @escaping @Sendable (BlockSource) -> ColumnSet,
    next: (Int) -> [BlockSource],
    _ body: (RowSelection) throws -> Bool
  ) throws {
    let order = RowOrder.start(ascending: true)
    let blocks = ReadAhead { source in
      var rows: [Int32] = []
      var selected = RowSelection()
      let block = try self.select(
        from: source, filters, columns(source), isCached: false, &rows)
      if let block {
        selected.append(block, rows)
        selected.sort(by: order, limit: .max)
      }
      return (source.zone, selected)
    }
    defer { blocks.stop() }
    // Rows that may not be passed on yet, in order: a later block may have earlier ones.
    var pending = RowSelection()
    var latest = -Double.infinity
    while true {
      // In steps: a thread that has nothing to do falls asleep, and waking it takes long.
      let waiting = blocks.count
      if waiting <= Self.groupSize / 2 { blocks.add(next(Self.groupSize - waiting)) }
      guard let (zone, found) = try blocks.next() else { break }
      if zone.minStart > latest {
        if !pending.isEmpty, try !body(pending) { return }
        pending = RowSelection()
      } else {
        let passed = pending.removePrefix(before: zone.minStart)
        if !passed.isEmpty, try !body(passed) { return }
      }
      latest = max(latest, zone.maxStart)
      pending.merge(found)
    }
    if !pending.isEmpty { _ = try body(pending) }
  }
}
