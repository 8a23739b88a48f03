extension Snapshot {
  /// The blocks of a series that may have live rows which satisfy a filter, in the order of their
  /// first start date.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read that other
  ///   subjects have rows of, too: such rows are read at once.
  package func blocks(_ key: SeriesKey, where filter: RowFilter) throws -> [BlockSource] {
    var blocks = sources(key, filter)
    for index in blocks.indices where blocks[index].part != nil {
      let block = try blocks[index].load(Self.resultColumns, caches.blocks)
      blocks[index] = BlockSource(block, filter: blocks[index].filter)
    }
    // Mostly they are in order, and then no memory is needed.
    let isSorted = blocks.indices.dropFirst().allSatisfy {
      blocks[$0 - 1].zone.minStart <= blocks[$0].zone.minStart
    }
    if !isSorted { blocks.sort { $0.zone.minStart < $1.zone.minStart } }
    return blocks
  }

  /// Whether a block's zone map stands for what a filter selects of it: no row is deleted, all
  /// satisfy the filter, and values are followed.
  package func isWhole(_ source: BlockSource, where filter: RowFilter) -> Bool {
    guard source.part == nil, source.zone.unit != nil, source.relevant(dead) == nil else {
      return false
    }
    if filter.isTrivial { return true }
    var filter = filter
    filter.settle(source.zone)
    return filter.isTrivial
  }

  /// Aggregates the rows of a block that is whole by the interval that their start date lies in.
  ///
  /// - Parameters:
  ///   - source: A block of which ``isWhole(_:where:)`` is true.
  ///   - boundaries: Rising dates; interval *i* is from boundary *i* up to boundary *i* + 1, and
  ///     all rows start within them.
  ///   - body: Takes an interval and the aggregate of its rows.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  /// - Complexity: A block within one interval is not read.
  package func aggregate(
    _ source: BlockSource, boundaries: [Double], _ body: (Int, Aggregate) -> Void
  ) throws {
    if boundaries.count == 2 {
      var all = Aggregate()
      all.add(source.zone)
      return body(0, all)
    }
    switch source.location {
    case .segment(let segment, let index):
      try segment.aggregate(block: index, boundaries: boundaries, from: 0, body)
    case .memTable(let block):
      var row = 0
      for index in 0..<boundaries.count - 1 {
        let end = partition(block.start, block.count) { $0 < boundaries[index + 1] }
        if end > row { body(index, Aggregate(block.value + row, count: end - row)) }
        row = max(row, end)
      }
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

  /// The block with a zone map that knows its values, also where it is in the memtable.
  ///
  /// Rows of the memtable are in no order that a search could use unless they came in it; those of
  /// other blocks keep a zone map without values.
  package func withValues() -> BlockSource {
    guard case .memTable(let block) = location, zone.isSorted else { return self }
    var source = self
    source.zone = ZoneMap(block)
    return source
  }
}
