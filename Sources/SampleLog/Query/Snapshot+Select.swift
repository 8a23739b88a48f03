extension Snapshot {
  /// Returns the live samples of some series that satisfy one filter.
  ///
  /// Equivalent to ``select(_:order:limit:)`` with such a selection.
  public func select(
    _ series: [Series], where filter: RowFilter = RowFilter(), order: RowOrder = .any,
    limit: Int? = nil
  ) throws -> RowSelection {
    try select(SeriesSelection(series, where: filter), order: order, limit: limit)
  }

  package func select(
    _ series: [SeriesKey], where filter: RowFilter = RowFilter(), order: RowOrder = .any,
    limit: Int? = nil
  ) throws -> RowSelection {
    try select(SeriesSelection(series, where: filter), order: order, limit: limit)
  }

  /// Returns the live samples of a selection.
  ///
  /// - Parameters:
  ///   - selection: The series to search and their filters.
  ///   - order: The order of the result.
  ///   - limit: The maximum number of rows to return, after sorting, or nil for all.
  /// - Returns: The rows.
  /// - Throws: ``StoreError/invalid(_:)`` if a series belongs to another database, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  /// - Complexity: Reads the blocks that intersect the filter's ranges. With a limit and an order
  ///   by start date, stops before the first block that cannot change the result.
  public func select(
    _ selection: SeriesSelection, order: RowOrder = .any, limit: Int? = nil
  ) throws -> RowSelection {
    try select(selection, order: order, limit: limit, columns: Self.resultColumns)
  }

  /// Selects rows with the given columns in addition to start dates and sequence numbers.
  package func select(
    _ selection: SeriesSelection, order: RowOrder, limit: Int?, columns: ColumnSet
  ) throws -> RowSelection {
    try selection.check(symbols)
    if let limit, limit <= 0 { return RowSelection() }
    if limit == 1, order == .start(ascending: false), selection.filters[0].ids == nil,
      let series = selection.series, series.count == 1
    {
      switch try newest(series[0], where: selection.filters[0]) {
      case .row(let row): return RowSelection(row)
      case .none: return RowSelection()
      case .unknown: break
      }
    }
    return try search(selection, order: order, limit: limit, columns: columns)
  }

  /// Selects rows like ``select(_:order:limit:columns:)``, without the shorter way to the newest
  /// row of a series.
  func search(
    _ selection: SeriesSelection, order: RowOrder, limit: Int?,
    columns: ColumnSet = resultColumns
  ) throws -> RowSelection {
    if let sets = selection.fewIdentifiers {
      return try select(sets, selection, order, limit ?? .max)
    }
    let limit = limit ?? .max
    let filters = selection.filters
    let columns = columns.union([.start, .sequence])
    var sources = try OrderedSources(self, selection, order, isLimited: limit < .max)
    var result = RowSelection()
    var rows: [Int32] = []
    guard limit < .max else {
      while true {
        let group = sources.next(Self.groupSize)
        if group.isEmpty { break }
        try Self.refuseIfMany(group, filters)
        for case var found? in try selectEach(from: group, filters, columns) {
          // Blocks are read in the requested order and their rows are ascending, so that the result
          // is usually sorted.
          if order.isDescending { found.rows.reverse() }
          result.append(found.block, found.rows)
        }
      }
      result.sort(by: order, limit: limit)
      return result
    }
    while let source = sources.next() {
      if result.count >= limit, Self.isBeyond(source, order, result) { break }
      var pieces = RowPieces(source, filters[source.filter], order, count: limit, caches.blocks)
      while let piece = try pieces.next(after: result.count < limit ? nil : result.last?.start) {
        let isWhole = piece.part == source.part
        if let found = try select(from: piece, filters, columns, isCached: isWhole, &rows) {
          if order.isDescending { rows.reverse() }
          result.append(found, rows)
        }
        if result.count >= limit { result.sort(by: order, limit: limit) }
      }
    }
    result.sort(by: order, limit: limit)
    return result
  }

  /// Refuses an inline attempt before it decodes a block, if the blocks exceed its limits.
  static func refuseIfMany(_ sources: [BlockSource], _ filters: [RowFilter]) throws {
    guard InlineWork.isActive else { return }
    let rows = sources.reduce(0) { rows, source in
      let (zone, filter) = (source.zone, filters[source.filter])
      let isWhole =
        filter.start.contains(zone.minStart, zone.maxStart)
        && filter.end.contains(zone.minEnd, zone.maxEnd)
      return rows + (isWhole ? zone.count : 0)
    }
    if rows > InlineWork.maximumRows { try InlineWork.refuse() }
  }

  /// The number of blocks that are decoded in parallel or read ahead.
  ///
  /// Limits the memory that this takes to 10 MB.
  static let groupSize = 32

  /// Returns the matching rows of each block, decoded on all processors.
  func selectEach(
    from sources: [BlockSource], _ filters: [RowFilter], _ columns: ColumnSet = resultColumns
  ) throws -> [(block: Block, rows: [Int32])?] {
    try parallelMap(sources.count) { number in
      var rows: [Int32] = []
      let block = try select(from: sources[number], filters, columns, isCached: false, &rows)
      return block.map { ($0, rows) }
    }
  }

  /// Returns a block with its matching rows in `rows`, or nil if there are none.
  func select(
    from found: BlockSource, _ filters: [RowFilter], _ columns: ColumnSet = resultColumns,
    isCached: Bool, _ rows: inout [Int32]
  ) throws -> Block? {
    var source = found
    var filter = filters[source.filter]
    guard try source.narrow(to: filter, caches.blocks) else { return nil }
    filter.simplify(for: source.zone)
    let deleted = source.relevant(self.deleted)
    let block = try load(source, filter, columns, deleted: deleted, isCached: isCached)
    try filter.select(block, isSorted: source.zone.isSorted, deleted: deleted, into: &rows)
    if rows.isEmpty { return nil }
    // Read the other columns only if the block has a match, and only of the matches if they are
    // few.
    if block.columns.isSuperset(of: columns) { return block }
    if case .segment(let segment, let index) = source.location, rows.count * 2 < block.count {
      let first = Int32(source.part?.lowerBound ?? 0)
      // The cache holds the encoded block that a part comes from.
      let stored = source.part == nil ? nil : try caches.blocks.stored(segment, index)
      let few = try segment.block(index, rows: rows.map { $0 + first }, columns, stored: stored)
      rows = Array(0..<Int32(few.count))
      return few
    }
    return try source.load(columns, caches.blocks)
  }

  package static let resultColumns = ColumnSet.all.subtracting(.target)

  /// Calls a function with each block and the indices of its live rows that satisfy a filter.
  ///
  /// Blocks arrive in no particular order, and may contain rows of several subjects if there are
  /// several series.
  ///
  /// - Parameters:
  ///   - series: The series to scan, or nil for all.
  ///   - filter: The condition that rows must satisfy.
  ///   - columns: The columns that `body` reads.
  ///   - body: Receives a block and the indices of its matching rows, in ascending order. Returns
  ///     false to stop.
  /// - Throws: Any error that `body` throws, and ``StoreError/damaged(file:offset:reason:)`` if a
  ///   block cannot be read.
  package func scan(
    _ series: [SeriesKey]? = nil, where filter: RowFilter = RowFilter(),
    columns: ColumnSet = .all, _ body: (Block, [Int32]) throws -> Bool
  ) throws {
    var rows: [Int32] = []
    let wanted = columns.subtracting(.target)
    for source in try blockSources(of: SeriesSelection(series, where: filter)) {
      let block = try select(from: source, [filter], wanted, isCached: false, &rows)
      if let block, try !body(block, rows) { return }
    }
  }

  /// Returns the number of live samples of some series that satisfy a filter.
  func sampleCount(_ series: [SeriesKey], where filter: RowFilter = RowFilter()) throws -> Int {
    var count = 0
    try scan(series, where: filter, columns: []) { _, rows in
      count += rows.count
      return true
    }
    return count
  }

  private func load(
    _ source: BlockSource, _ filter: RowFilter, _ columns: ColumnSet, deleted: DeletionVector?,
    isCached: Bool
  ) throws -> Block {
    if isCached { return try source.load(.all, caches.blocks, isKept: true) }
    // A filter on dates alone usually keeps most rows; other filters read their own columns first.
    let isMoreThanDates =
      filter.value != nil || filter.valueBounds != nil || filter.source != nil
      || filter.condition != nil
    guard isMoreThanDates, !filter.columns.isSuperset(of: columns) else {
      let needed = filter.columns.union(deleted == nil ? [] : .sequence).subtracting(.target)
      return try source.load(columns.union(needed), caches.blocks)
    }
    return try source.load(
      filter.columns.union(deleted == nil ? [] : .sequence), caches.blocks)
  }

  private func select(
    _ sets: [Set<Identifier>], _ selection: SeriesSelection, _ order: RowOrder, _ limit: Int
  ) throws -> RowSelection {
    var result = RowSelection()
    let wanted = Set(selection.series ?? series)
    var rows: [Int32] = []
    for (number, ids) in sets.enumerated() {
      var filter = selection.filters[number]
      filter.ids = nil
      for id in ids {
        guard let row = try self.row(id), wanted.contains(row.key),
          selection.number(of: row.key) == number
        else { continue }
        try filter.select(
          row.block, row.row..<row.row + 1, isSorted: false, deleted: nil, into: &rows)
        result.append(row.block, rows)
      }
    }
    result.sort(by: order, limit: limit)
    return result
  }

  /// Returns whether no row of a block, or of any later one, can be among the first rows.
  private static func isBeyond(
    _ source: BlockSource, _ order: RowOrder, _ result: RowSelection
  ) -> Bool {
    guard let last = result.lastDate(order) else { return false }
    return switch order {
    case .any: true
    case .start(ascending: true): source.zone.minStart > last
    case .start(ascending: false): source.zone.maxStart < last
    case .end(ascending: true): source.zone.minEnd > last
    case .end(ascending: false): source.zone.maxEnd < last
    }
  }
}
