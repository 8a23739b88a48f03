extension Snapshot {
  /// Returns the live sample of a series with the latest start date; of several, the newest one.
  ///
  /// - Complexity: One look-up in each segment's directory and each memtable chunk, plus decoding
  ///   one row.
  /// - Throws: ``StoreError/invalid(_:)`` if the series belongs to another database, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if its block cannot be read.
  public func newest(_ series: Series) throws -> Row? { try newest(symbols.key(of: series)) }

  package func newest(_ key: SeriesKey) throws -> Row? {
    switch try newest(key, where: RowFilter()) {
    case .row(let row): row
    case .none: nil
    case .unknown:
      try search(SeriesSelection([key]), order: .start(ascending: false), limit: 1).first
    }
  }

  /// The result of looking up the newest row of a series without a search.
  enum NewestRow {
    case row(Row)
    /// The series has no rows.
    case none
    /// The newest row is deleted, not visible or excluded by the filter, so a search is required.
    case unknown
  }

  /// Returns the newest row of a series if it satisfies a filter.
  ///
  /// Reads only blocks that a search would read as well, so both report the same damage.
  func newest(_ key: SeriesKey, where filter: RowFilter) throws -> NewestRow {
    var date = -Double.infinity
    var unsealed: MemTableBlock?
    for memTable in memTables {
      guard let block = try memTable.newestBlock(key, through: end) else { continue }
      if block.zone.maxStart >= date { (date, unsealed) = (block.zone.maxStart, block) }
    }
    // Of rows with equal dates, the newest is in a memtable, or else in the latest segment.
    var stored: LastBlock?
    func isLater(_ block: LastBlock) -> Bool {
      block.date > date
        || block.date == date && stored.map { block.segment > $0.segment } ?? false
    }
    let isFiltered = !filter.isTrivial
    var next = lastBlock(of: key, after: nil)
    while let block = next, isLater(block) {
      let segment = segments[block.segment]
      if isFiltered, !segment.zone(block.block).mayMatch(filter) { return .unknown }
      var own = block
      if !block.isOwn { own.date = try caches.blocks.start(segment, block.block, block.row) }
      if isLater(own) { (date, stored) = (own.date, own) }
      next = block.nextDate < date ? nil : lastBlock(of: key, after: block)
    }
    let row: Row?
    if let stored {
      row = try reference(segments[stored.segment], (stored.block, stored.row))
    } else if let unsealed {
      row = newest(in: unsealed.block, isSorted: unsealed.zone.isSorted)
    } else {
      return .none
    }
    guard let row, row.start == date, !deleted.contains(row.sequence) else { return .unknown }
    if isFiltered {
      var rows: [Int32] = []
      let range = row.row..<row.row + 1
      try filter.select(row.block, range, isSorted: false, deleted: nil, into: &rows)
      if rows.isEmpty { return .unknown }
    }
    return .row(row)
  }

  /// The last block of a series in a segment.
  private struct LastBlock {
    // Indices instead of references avoid reference counting for each segment.
    var segment: Int
    var block: Int
    /// The last row of the series in the block.
    var row: Int
    /// The latest date of the block.
    var date: Double
    /// Whether the series has all rows of the block.
    ///
    /// Otherwise the latest date may be that of another series.
    var isOwn: Bool
    /// The latest date of the block that follows in the order of ``lastBlock(of:after:)``, or −∞ if
    /// there is none.
    var nextDate = -Double.infinity
  }

  /// Returns the last block of a series in the segment whose block has the latest date; of several,
  /// in the latest segment.
  ///
  /// Pass the returned block to get the next one in this order.
  private func lastBlock(of key: SeriesKey, after previous: LastBlock?) -> LastBlock? {
    var result: LastBlock?
    for index in segments.indices.reversed() {
      guard let series = segments[index].series(key, .sample) else { continue }
      let block = series.blocks.upperBound - 1
      let date = segments[index].maxStart(ofBlock: block)
      if let previous {
        guard date < previous.date || date == previous.date && index < previous.segment else {
          continue
        }
      }
      if let known = result, date <= known.date {
        result?.nextDate = max(known.nextDate, date)
        continue
      }
      let rows = segments[index].rows(of: series, inBlock: block)
      result = LastBlock(
        segment: index, block: block, row: rows.upperBound - 1, date: date,
        isOwn: rows.count == segments[index].directory.rows(block),
        nextDate: result?.date ?? -.infinity)
    }
    return result
  }

  /// Returns the row of a block with the latest start date; of several, the last.
  private func newest(in block: Block, isSorted: Bool) -> Row? {
    guard block.count > 0 else { return nil }
    var newest = block.count - 1
    if !isSorted {
      for row in stride(from: block.count - 2, through: 0, by: -1)
      where block.start[row] > block.start[newest] { newest = row }
    }
    return Row(block, newest)
  }
}
