extension Snapshot {
  /// The blocks of a series that may have live rows which satisfy a filter, in the order of their
  /// first start date.
  ///
  /// Rows of a block that other subjects have rows of, too, are read at once, with the columns that
  /// are given and those that the filter asks for. Of blocks in memory, rows are left out that the
  /// filter's dates leave out.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when such a block cannot be read.
  package func blocks(
    _ key: SeriesKey, where filter: RowFilter, columns: ColumnSet
  ) throws -> [BlockSource] {
    let read = columns.union(filter.columns).union(BlockSource.known).subtracting(.target)
    var rows: [Int32] = []
    var blocks = try sources(key, filter).compactMap { found in
      guard found.part != nil || found.rowsRead != nil, found.zone.isSorted else { return found }
      var dates = RowFilter()
      (dates.start, dates.end) = (filter.start, filter.end)
      dates.settle(found.zone)
      if found.part == nil, dates.isTrivial { return found }
      var source = found
      guard try source.narrow(to: filter, caches.blocks) else { return nil }
      let block = try source.load(read, caches.blocks)
      try dates.select(block, isSorted: true, dead: nil, into: &rows)
      guard let first = rows.first, let last = rows.last else { return nil }
      // The zone map says more of rows if all of them are wanted.
      let hasGaps = rows.count <= Int(last - first)
      return BlockSource(
        hasGaps ? block : Block(block, Int(first)..<Int(last) + 1), filter: source.filter)
    }
    // Mostly they are in order, and then no memory is needed.
    let isSorted = blocks.indices.dropFirst().allSatisfy {
      blocks[$0 - 1].zone.minStart <= blocks[$0].zone.minStart
    }
    if !isSorted { blocks.sort { $0.zone.minStart < $1.zone.minStart } }
    return blocks
  }

  /// Where the rows of a block start that a filter selects, if that is all there is to say of them:
  /// none of these is deleted, all have one unit, and others only start elsewhere.
  ///
  /// - Returns: Dates that all selected rows and no others of the block start within; nil when rows
  ///   must be asked one by one.
  package func startsSelected(of source: BlockSource, by filter: RowFilter) -> Bounds? {
    guard source.part == nil, source.zone.unit != nil, source.relevant(dead) == nil else {
      return nil
    }
    if filter.isTrivial { return .all }
    var filter = filter
    filter.settle(source.zone)
    if filter.isTrivial { return .all }
    guard source.zone.isSorted, source.areRowsInstant else { return nil }
    let starts = filter.start.intersection(filter.end)
    (filter.start, filter.end) = (.all, .all)
    return filter.isTrivial ? starts : nil
  }

  /// Aggregates the rows of a block by the interval that their start date lies in.
  ///
  /// - Parameters:
  ///   - source: A block of which ``startsSelected(of:by:)`` says where rows start.
  ///   - boundaries: Rising dates; interval *i* is from boundary *i* up to boundary *i* + 1, and
  ///     rows that start elsewhere do not count.
  ///   - body: Takes an interval and the aggregate of its rows.
  /// - Returns: When the first and the last row start that count; nil when none does.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  /// - Complexity: A block within one interval is not read.
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
  /// Whether every row is known to end when it starts.
  ///
  /// The end column then has a byte that says so and the number of rows as a base-128 varint, fewer
  /// bytes than any other encoding takes.
  package var areRowsInstant: Bool {
    switch location {
    case .segment(let segment, let index):
      let rows = segment.directory.rows(index)
      return segment.directory.length(index, StoredColumn.end.rawValue) == (rows < 128 ? 2 : 3)
    case .memTable(let block):
      return (0..<block.count).allSatisfy { block.start[$0] == block.end[$0] }
    }
  }

  /// The rows if they have been read.
  package var rowsRead: Block? {
    guard case .memTable(let block) = location else { return nil }
    return block
  }

  /// Some of the rows, which have been read.
  package func reading(_ rows: Range<Int>) -> BlockSource {
    rowsRead.map { BlockSource(Block($0, rows), filter: filter) } ?? self
  }

  /// The block with a zone map that knows its values, also where it is in the memtable.
  ///
  /// Rows of the memtable can be searched only if they were saved in order of start date; other
  /// blocks keep a zone map without values.
  package func withValues() -> BlockSource {
    guard case .memTable(let block) = location, zone.isSorted, zone.unit == nil else {
      return self
    }
    var source = self
    source.zone = ZoneMap(block)
    return source
  }
}
