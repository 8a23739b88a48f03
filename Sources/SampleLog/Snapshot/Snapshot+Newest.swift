extension Snapshot {
  /// Returns the live sample of a series with the latest start date; the last saved of equals.
  ///
  /// - Complexity: One look at each segment's directory and at each chunk of the tail, and one
  ///   decoded block, which stays at hand.
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
    guard let best else { return nil }
    let block = try best.source.load(.all, caches.blocks)
    let dead = best.source.relevant(self.dead)
    var newest: Int?
    var row = block.count - 1
    while row >= 0 {
      let isAlive = dead.map { !$0.contains(block.sequence[row]) } ?? true
      if isAlive, newest.map({ block.start[row] > block.start[$0] }) ?? true { newest = row }
      if newest != nil, best.source.extent.isSorted { break }
      row -= 1
    }
    if let newest, block.start[newest] == best.date { return RowReference(block, newest) }
    // The newest row of that block is deleted or not visible: look properly.
    return try select([key], order: .start(ascending: false), limit: 1).first
  }
}
