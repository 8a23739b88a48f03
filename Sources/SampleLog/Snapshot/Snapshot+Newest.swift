extension Snapshot {
  /// Returns the live sample of a series with the latest start date; the last saved of equals.
  ///
  /// - Complexity: One look at each segment's directory and at each chunk of the tail, and one
  ///   decoded row.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when its block cannot be read.
  public func newest(_ key: SeriesKey) throws -> RowReference? {
    var best: (source: BlockSource, date: Double)?
    for segment in segments {
      let blocks = segment.blocks(subject: key.subject, type: key.type, kind: .sample)
      guard let last = blocks.last else { continue }
      let date = segment.zone(last).maxStart
      if date >= best?.date ?? -.infinity { best = (BlockSource(segment, last), date) }
    }
    for tail in tails {
      guard let block = tail.newestBlock(key, through: end) else { continue }
      let date = block.extent.maxStart
      if date >= best?.date ?? -.infinity { best = (BlockSource(block), date) }
    }
    guard let best, let row = try newest(in: best.source) else { return nil }
    if row.block.start[row.row] == best.date, !dead.contains(row.sequence) { return row }
    // The newest row of that block is deleted or not visible: look properly.
    let latest = try select([key], order: .start(ascending: false), limit: 1).first
    guard let latest else { return nil }
    var filter = RowFilter()
    filter.start = .from(latest.block.start[latest.row])
    return try select([key], where: filter, order: .start(ascending: true)).last
  }

  /// The row of a block with the latest start, the last of equals.
  private func newest(in source: BlockSource) throws -> RowReference? {
    switch source.place {
    case .segment(let segment, let index):
      // Rows of a segment's block are in order.
      try reference(segment, (index, segment.zone(index).count - 1))
    case .tail(let block):
      newest(in: block, isSorted: source.extent.isSorted)
    }
  }

  private func newest(in block: Block, isSorted: Bool) -> RowReference? {
    guard block.count > 0 else { return nil }
    var newest = block.count - 1
    if !isSorted {
      for row in stride(from: block.count - 2, through: 0, by: -1)
      where block.start[row] > block.start[newest] { newest = row }
    }
    return RowReference(block, newest)
  }
}
