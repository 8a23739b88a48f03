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
    var pending = RowSelection()
    var latest = -Double.infinity
    while true {
      let group = sources.next(Self.groupSize)
      if group.isEmpty { break }
      for (source, found) in zip(group, try selectEach(from: group, filter)) {
        if source.extent.minStart > latest, !pending.isEmpty {
          pending.sort(by: order, limit: .max)
          if try !body(pending) { return }
          pending = RowSelection()
        }
        latest = max(latest, source.extent.maxStart)
        if let found { pending.append(found.block, found.places) }
      }
    }
    pending.sort(by: order, limit: .max)
    if !pending.isEmpty { _ = try body(pending) }
  }
}
