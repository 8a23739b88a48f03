import SampleLog

/// The tracker of a primary's publishing, for its metrics and events.
struct PublishingTracker {
  var metrics = PrimaryMetrics()
  var lag = LagTracker()
  private var outage = Outage(limit: 5)
  /// Whether the stream answered the latest request.
  private(set) var isReachable = true

  /// Records a step.
  ///
  /// - Returns: The event to report, or nil if there is none.
  mutating func take(_ step: Publisher.Step, of publisher: Publisher) -> StoreEvent.Kind? {
    metrics.publishedThrough = publisher.publishedThrough
    metrics.messageCount = publisher.messageCount
    metrics.byteCount = publisher.byteCount
    lag.confirm(publisher.publishedThrough)
    isReachable = publisher.streamError == nil
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
    // The publisher may be idle although the stream does not answer its checks.
    case .idle where publisher.streamError != nil:
      return nil
    case .accepted, .idle:
      return outage.end() ? .streamReachable : nil
    }
  }

  /// Records a check of the stream, whose success the next step reports.
  ///
  /// - Returns: The event to report, or nil if there is none.
  mutating func take(checkOf publisher: Publisher) -> StoreEvent.Kind? {
    isReachable = publisher.streamError == nil
    return publisher.streamError.flatMap { outage.fail("\($0)") }
      .map { .streamUnreachable(reason: $0) }
  }
}
