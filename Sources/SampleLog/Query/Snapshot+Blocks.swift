extension Snapshot {
  /// Returns the blocks of a series that may contain live rows that satisfy a filter, sorted by
  /// minimum start date.
  ///
  /// Reads the rows of blocks that are shared with other subjects, with `columns` and the filter's
  /// columns. From rows in memory, excludes those outside the filter's dates.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a shared block cannot be read.
  package func blocks(
    _ key: SeriesKey, where filter: RowFilter, columns: ColumnSet
  ) throws -> [BlockSource] {
    let read = columns.union(filter.columns).union(BlockSource.known).subtracting(.target)
    var rows: [Int32] = []
    var blocks = try sources(key, filter).compactMap { found in
      guard found.part != nil || found.rowsRead != nil, found.zone.isSorted else { return found }
      var dates = RowFilter()
      (dates.start, dates.end) = (filter.start, filter.end)
      dates.simplify(for: found.zone)
      if found.part == nil, dates.isTrivial { return found }
      var source = found
      guard try source.narrow(to: filter, caches.blocks) else { return nil }
      let block = try source.load(read, caches.blocks)
      try dates.select(block, isSorted: true, deleted: nil, into: &rows)
      guard let first = rows.first, let last = rows.last else { return nil }
      // Without gaps, the block's own rows give a more precise zone map.
      let hasGaps = rows.count <= Int(last - first)
      return BlockSource(
        hasGaps ? block : Block(block, Int(first)..<Int(last) + 1), filter: source.filter)
    }
    // The blocks are usually sorted already, which is detected without allocating.
    let isSorted = blocks.indices.dropFirst().allSatisfy {
      blocks[$0 - 1].zone.minStart <= blocks[$0].zone.minStart
    }
    if !isSorted { blocks.sort { $0.zone.minStart < $1.zone.minStart } }
    return blocks
  }

  /// Returns the unit that all samples of a series share, including deleted samples.
  ///
  /// Returns nil if the units differ, if the series has no samples or many blocks, or if the zone
  /// maps do not suffice. Reads no block.
  package func commonUnit(of key: SeriesKey) throws -> Symbol? {
    let blocks = segments.reduce(0) { $0 + ($1.series(key, .sample)?.blocks.count ?? 0) }
    if blocks > 16 { return nil }
    var unit: Symbol?
    for source in try sources(key, RowFilter()) {
      let own: Symbol?
      if let block = source.rowsRead {
        own = (0..<block.count).allSatisfy { block.unit[$0] == block.unit[0] } ? block.unit[0] : nil
      } else {
        own = source.zone.unit
      }
      guard let own, unit == nil || unit == own else { return nil }
      unit = own
    }
    return unit
  }

  /// Returns bounds on the start date that describe exactly the rows of a block that match a
  /// filter.
  ///
  /// Such bounds exist only if none of the rows is deleted, all have one unit, and the filter
  /// constrains nothing but the dates.
  ///
  /// - Returns: The bounds, or nil if each row must be tested.
  package func startsSelected(of source: BlockSource, by filter: RowFilter) -> Bounds? {
    guard source.part == nil, source.zone.unit != nil, source.relevant(deleted) == nil else {
      return nil
    }
    if filter.isTrivial { return .all }
    var filter = filter
    filter.simplify(for: source.zone)
    if filter.isTrivial { return .all }
    guard source.zone.isSorted, source.areRowsInstant else { return nil }
    let starts = filter.start.intersection(filter.end)
    (filter.start, filter.end) = (.all, .all)
    return filter.isTrivial ? starts : nil
  }

  /// Aggregates the rows of a block by the interval that contains their start date.
  ///
  /// - Parameters:
  ///   - source: A block for which ``startsSelected(of:by:)`` returns bounds.
  ///   - boundaries: Dates in ascending order; interval *i* extends from boundary *i* up to, but
  ///     not including, boundary *i* + 1. Rows that start outside all intervals are ignored.
  ///   - body: Receives the index of an interval and the aggregate of its rows.
  /// - Returns: The start dates of the first and the last aggregated row, or nil if there is none.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  /// - Complexity: A block that lies within a single interval is not read.
  package func aggregate(
    _ source: BlockSource, boundaries: [Double], _ body: (Int, Aggregate) -> Void
  ) throws -> ClosedRange<Double>? {
    let zone = source.zone
    if boundaries.count == 2, zone.minStart >= boundaries[0], zone.maxStart < boundaries[1] {
      var all = Aggregate()
      all.add(zone)
      body(0, all)
      return zone.minStart...zone.maxStart
    }
    switch source.location {
    case .segment(let segment, let index):
      return try segment.aggregate(block: index, boundaries: boundaries, from: 0, body)
    case .memTable(let block):
      let first = partition(block.start, block.count) { $0 < boundaries[0] }
      var row = first
      for index in 0..<boundaries.count - 1 {
        let end = partition(block.start, block.count) { $0 < boundaries[index + 1] }
        if end > row { body(index, Aggregate(block.value + row, count: end - row)) }
        row = max(row, end)
      }
      return row > first ? block.start[first]...block.start[row - 1] : nil
    }
  }
}

extension BlockSource {
  /// Whether every row is known to end at its start date.
  ///
  /// The end column is then encoded as a marker byte and the row count as a base-128 varint, which
  /// is shorter than any other encoding.
  package var areRowsInstant: Bool {
    switch location {
    case .segment(let segment, let index):
      let rows = segment.directory.rows(index)
      return segment.directory.length(index, StoredColumn.end.rawValue) == (rows < 128 ? 2 : 3)
    case .memTable(let block):
      return (0..<block.count).allSatisfy { block.start[$0] == block.end[$0] }
    }
  }

  /// The rows as a block, if they have been decoded.
  package var rowsRead: Block? {
    guard case .memTable(let block) = location else { return nil }
    return block
  }

  /// Returns a source of a range of the rows, if they have been decoded.
  package func reading(_ rows: Range<Int>) -> BlockSource {
    rowsRead.map { BlockSource(Block($0, rows), filter: filter) } ?? self
  }

  /// Returns the block with a zone map that includes values, even for rows of the memtable.
  ///
  /// Leaves the zone map of rows that are not sorted by start date as it is, because these cannot
  /// be searched.
  package func withValues() -> BlockSource {
    guard case .memTable(let block) = location, zone.isSorted, zone.unit == nil else {
      return self
    }
    var source = self
    source.zone = ZoneMap(block)
    return source
  }
}
