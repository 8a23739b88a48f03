extension Snapshot {
  /// Returns the live sample of a series with the latest start date; of several, the newest one.
  ///
  /// - Complexity: One look-up in each segment's directory and each memtable chunk, plus decoding
  ///   one row.
  /// - Throws: ``StoreError/invalid(_:)`` if the series belongs to another database, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if its block cannot be read.
  public func newest(_ series: Series) throws -> Row? { try newest(symbols.key(of: series)) }

  package func newest(_ key: SeriesKey) throws -> Row? {
    var date = -Double.infinity
    // Indices instead of references avoid reference counting for each segment.
    var stored: (segment: Int, block: Int)?
    var row: Row?
    // Of rows with equal dates, the newest is in the latest segment.
    for index in segments.indices.reversed() {
      guard let series = segments[index].series(key, .sample) else { continue }
      let last = series.blocks.upperBound - 1
      let latest = segments[index].maxStart(ofBlock: last)
      guard latest > date else { continue }
      let rows = segments[index].rows(of: series, inBlock: last)
      if rows.count == segments[index].directory.rows(last) {
        (date, stored, row) = (latest, (index, last), nil)
      } else {
        // The block's maximum may belong to another subject.
        let found = try reference(segments[index], (last, rows.upperBound - 1))
        if found.start > date { (date, stored, row) = (found.start, nil, found) }
      }
    }
    var unsealed: MemTableBlock?
    for memTable in memTables {
      guard let block = try memTable.newestBlock(key, through: end) else { continue }
      if block.zone.maxStart >= date { (date, unsealed) = (block.zone.maxStart, block) }
    }
    if let unsealed {
      row = newest(in: unsealed.block, isSorted: unsealed.zone.isSorted)
    } else if let stored {
      // The rows of a segment's block are sorted.
      let segment = segments[stored.segment]
      row = try reference(segment, (stored.block, segment.directory.rows(stored.block) - 1))
    }
    guard let row else { return nil }
    if row.start == date, !deleted.contains(row.sequence) { return row }
    // The newest row of that block is deleted or not visible, so a full query is required.
    let latest = try select([key], order: .start(ascending: false), limit: 1).first
    guard let latest else { return nil }
    var filter = RowFilter()
    filter.start = .from(latest.start)
    return try select([key], where: filter, order: .start(ascending: true)).last
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
