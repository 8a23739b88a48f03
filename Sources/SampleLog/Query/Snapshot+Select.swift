extension Snapshot {
  /// Finds live samples of some series that satisfy one filter.
  ///
  /// The same as ``select(_:order:limit:)`` of such a selection.
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

  /// Finds live samples.
  ///
  /// - Parameters:
  ///   - selection: The series to look in, and what the rows of each must satisfy.
  ///   - order: The order of the result.
  ///   - limit: The greatest number of rows to return, after sorting; nil for all.
  /// - Returns: The rows.
  /// - Throws: ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
  /// - Complexity: Reads the blocks that the filter's ranges leave; with a limit and an order by
  ///   start date it stops at the block that cannot change the result any more.
  public func select(
    _ selection: SeriesSelection, order: RowOrder = .any, limit: Int? = nil
  ) throws -> RowSelection {
    try select(selection, order: order, limit: limit, columns: Self.resultColumns)
  }

  /// The same with some columns of the rows besides start dates and sequence numbers.
  package func select(
    _ selection: SeriesSelection, order: RowOrder, limit: Int?, columns: ColumnSet
  ) throws -> RowSelection {
    try selection.check(symbols)
    if let limit, limit <= 0 { return RowSelection() }
    if let sets = selection.fewIdentifiers {
      return try select(sets, selection, order, limit ?? .max)
    }
    let limit = limit ?? .max
    let filters = selection.filters
    let columns = columns.union([.start, .sequence])
    var sources = OrderedSources(self, selection, order, isLimited: limit < .max)
    var result = RowSelection()
    var rows: [Int32] = []
    guard limit < .max else {
      while true {
        let group = sources.next(Self.groupSize)
        if group.isEmpty { break }
        for case let found? in try selectEach(from: group, filters, columns) {
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
          result.append(found, rows)
        }
        if result.count >= limit { result.sort(by: order, limit: limit) }
      }
    }
    result.sort(by: order, limit: limit)
    return result
  }

  /// How many blocks are decoded side by side, or ahead of who looks at them, which bounds the
  /// memory that takes to 10 MB.
  static let groupSize = 32

  /// The rows of each block that satisfy its filter, decoded on all processors.
  func selectEach(
    from sources: [BlockSource], _ filters: [RowFilter], _ columns: ColumnSet = resultColumns
  ) throws -> [(block: Block, rows: [Int32])?] {
    try parallelMap(sources.count) { number in
      var rows: [Int32] = []
      let block = try select(from: sources[number], filters, columns, isCached: false, &rows)
      return block.map { ($0, rows) }
    }
  }

  /// Finds the rows of one block that satisfy its filter; nil when there are none.
  func select(
    from found: BlockSource, _ filters: [RowFilter], _ columns: ColumnSet = resultColumns,
    isCached: Bool, _ rows: inout [Int32]
  ) throws -> Block? {
    var source = found
    var filter = filters[source.filter]
    guard try source.narrow(to: filter, caches.blocks) else { return nil }
    filter.settle(source.zone)
    let dead = source.relevant(self.dead)
    let block = try load(source, filter, columns, dead: dead, isCached: isCached)
    try filter.select(block, isSorted: source.zone.isSorted, dead: dead, into: &rows)
    if rows.isEmpty { return nil }
    // The rest is read only of a block that has a match, and only of its matches if they are few.
    if block.columns.isSuperset(of: columns) { return block }
    if case .segment(let segment, let index) = source.location, rows.count * 2 < block.count {
      let first = Int32(source.part?.lowerBound ?? 0)
      // A part comes from a block that the cache has.
      let stored = source.part == nil ? nil : try caches.blocks.stored(segment, index)
      let few = try segment.block(index, rows: rows.map { $0 + first }, columns, stored: stored)
      rows = Array(0..<Int32(few.count))
      return few
    }
    return try source.load(columns, caches.blocks)
  }

  static let resultColumns = ColumnSet.all.subtracting(.target)

  /// Calls a function with each block and the rows of its live rows that satisfy a filter.
  ///
  /// Blocks come in no particular order, and may have rows of several subjects if there are several
  /// series; the function returns false to stop.
  ///
  /// - Parameters:
  ///   - series: The subjects and types to look in; nil for all.
  ///   - filter: What rows must satisfy.
  ///   - columns: The columns the function reads.
  ///   - body: Takes a block and the rows of matching rows in rising order.
  /// - Throws: What `body` throws, and ``StoreError/damaged(file:offset:reason:)`` when a block
  ///   cannot be read.
  package func scan(
    _ series: [SeriesKey]? = nil, where filter: RowFilter = RowFilter(),
    columns: ColumnSet = .all, _ body: (Block, [Int32]) throws -> Bool
  ) throws {
    var rows: [Int32] = []
    let wanted = columns.subtracting(.target)
    for source in blockSources(of: SeriesSelection(series, where: filter)) {
      let block = try select(from: source, [filter], wanted, isCached: false, &rows)
      if let block, try !body(block, rows) { return }
    }
  }

  /// Counts the live samples of some series that satisfy a filter, as ``scan(_:where:columns:_:)``
  /// finds them.
  func sampleCount(_ series: [SeriesKey], where filter: RowFilter = RowFilter()) throws -> Int {
    var count = 0
    try scan(series, where: filter, columns: []) { _, rows in
      count += rows.count
      return true
    }
    return count
  }

  private func load(
    _ source: BlockSource, _ filter: RowFilter, _ columns: ColumnSet, dead: DeletionVector?,
    isCached: Bool
  ) throws -> Block {
    if isCached { return try source.load(.all, caches.blocks, isKept: true) }
    // A filter on dates alone mostly keeps what it reads; others are tried on few columns first.
    let isMoreThanDates =
      filter.value != nil || filter.valueBounds != nil || filter.source != nil
      || filter.condition != nil
    guard isMoreThanDates, !filter.columns.isSuperset(of: columns) else {
      let needed = filter.columns.union(dead == nil ? [] : .sequence).subtracting(.target)
      return try source.load(columns.union(needed), caches.blocks)
    }
    return try source.load(
      filter.columns.union(dead == nil ? [] : .sequence), caches.blocks)
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
          row.block, row.row..<row.row + 1, isSorted: false, dead: nil, into: &rows)
        result.append(row.block, rows)
      }
    }
    result.sort(by: order, limit: limit)
    return result
  }

  /// Whether no row of a block, nor of any after it, can be among the first rows.
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
