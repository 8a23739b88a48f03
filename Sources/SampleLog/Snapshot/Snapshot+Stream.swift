extension Snapshot {
  /// Calls a function with the live samples that satisfy a filter, in order of start date, then
  /// sequence number, holding few of them in memory at a time.
  ///
  /// Blocks of one series rarely overlap in time, and then each is passed on as it is read; those
  /// that do are merged first. Only samples saved in no order at all and never compacted make the
  /// memory grow with the result.
  ///
  /// - Parameters:
  ///   - series: The subjects and types to look in.
  ///   - filter: What rows must satisfy.
  ///   - body: Takes rows that come before all that follow; returns false to stop.
  /// - Throws: What `body` throws, and ``StoreError/damaged(file:offset:reason:)`` when a block
  ///   cannot be read.
  public func stream(
    _ series: [SeriesKey], where filter: RowFilter = RowFilter(),
    _ body: (RowSelection) throws -> Bool
  ) throws {
    let order = RowOrder.start(ascending: true)
    var sources = OrderedSources(self, series, filter, order, isLimited: false)
    let blocks = Ahead { source in
      var places: [Int32] = []
      var rows = RowSelection()
      if let block = try self.select(from: source, filter, isCached: false, &places) {
        rows.append(block, places)
        rows.sort(by: order, limit: .max)
      }
      return (source.extent, rows)
    }
    defer { blocks.stop() }
    var pending = RowSelection()
    var isMerged = false
    var latest = -Double.infinity
    func pass() throws -> Bool {
      if pending.isEmpty { return true }
      if isMerged { pending.sort(by: order, limit: .max) }
      defer { (pending, isMerged) = (RowSelection(), false) }
      return try body(pending)
    }
    while true {
      // In steps: a thread that has nothing to do falls asleep, and waking it takes long.
      let waiting = blocks.count
      if waiting <= Self.groupSize / 2 { blocks.add(sources.next(Self.groupSize - waiting)) }
      guard let (extent, found) = try blocks.next() else { break }
      if extent.minStart > latest, try !pass() { return }
      latest = max(latest, extent.maxStart)
      if pending.isEmpty {
        pending = found
      } else if !found.isEmpty {
        pending.append(found)
        isMerged = true
      }
    }
    _ = try pass()
  }
}
