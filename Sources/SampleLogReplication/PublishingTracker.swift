import SampleLog

/// The tracker of a primary's publishing, for its metrics and events.
struct PublishingTracker {
  var metrics = PrimaryMetrics()
  var lag = LagTracker()
  private var outage = Outage(limit: 5)

  /// Records a step.
  ///
  /// - Returns: The event to report, or nil if there is none.
  mutating func take(_ step: Publisher.Step, of publisher: Publisher) -> StoreEvent.Kind? {
    metrics.publishedThrough = publisher.publishedThrough
    metrics.messageCount = publisher.messageCount
    metrics.byteCount = publisher.byteCount
    lag.confirm(publisher.publishedThrough)
    let hadGap = metrics.gap != nil
    metrics.gap = publisher.gap
    if !hadGap, let gap = publisher.gap {
      return .publishingGap(published: gap.published, continued: gap.continued)
    }
    switch step {
    case .unresolved:
      metrics.unresolvedCount += 1
      let standard = "it has not confirmed a message in \(outage.limit) tries."
      return outage.fail(publisher.streamError.map { "\($0)" } ?? standard)
        .map { .streamUnreachable(reason: $0) }
    case .located, .blocked:
      // Locating the end of the stream does not prove that it accepts messages.
      return nil
    case .accepted, .idle:
      return outage.end() ? .streamReachable : nil
    }
  }
}
