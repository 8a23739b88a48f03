extension Snapshot {
  /// Returns the live sample of a series with the latest start date; the last saved of equals.
  ///
  /// - Complexity: One look at each segment's directory and at each chunk of the memtable, and one
  ///   decoded row.
  /// - Throws: ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/damaged(file:offset:reason:)`` when its block cannot be read.
  public func newest(_ series: Series) throws -> Row? { try newest(symbols.keys(of: [series])[0]) }

  package func newest(_ key: SeriesKey) throws -> Row? {
    var date = -Double.infinity
    // Places as numbers: references would be counted for each segment.
    var stored: (segment: Int, block: Int)?
    var row: Row?
    // The later saved of equals is in the later segment.
    for index in segments.indices.reversed() {
      guard let series = segments[index].series(key, .sample) else { continue }
      let last = series.blocks.upperBound - 1
      let latest = segments[index].maxStart(ofBlock: last)
      guard latest > date else { continue }
      let rows = segments[index].rows(of: series, inBlock: last)
      if rows.count == segments[index].directory.rows(last) {
        (date, stored, row) = (latest, (index, last), nil)
      } else {
        // The date may be another subject's.
        let found = try reference(segments[index], (last, rows.upperBound - 1))
        if found.start > date { (date, stored, row) = (found.start, nil, found) }
      }
    }
    var unsealed: MemTableBlock?
    for memTable in memTables {
      guard let block = memTable.newestBlock(key, through: end) else { continue }
      if block.zone.maxStart >= date { (date, unsealed) = (block.zone.maxStart, block) }
    }
    if let unsealed {
      row = newest(in: unsealed.block, isSorted: unsealed.zone.isSorted)
    } else if let stored {
      // Rows of a segment's block are in order.
      let segment = segments[stored.segment]
      row = try reference(segment, (stored.block, segment.directory.rows(stored.block) - 1))
    }
    guard let row else { return nil }
    if row.start == date, !dead.contains(row.sequence) { return row }
    // The newest row of that block is deleted or not visible: look properly.
    let latest = try select([key], order: .start(ascending: false), limit: 1).first
    guard let latest else { return nil }
    var filter = RowFilter()
    filter.start = .from(latest.start)
    return try select([key], where: filter, order: .start(ascending: true)).last
  }

  /// The row of a block with the latest start, the last of equals.
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
