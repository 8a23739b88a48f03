import SampleLog

/// The tracker of a primary's publishing, for its metrics and events.
struct PublishingTracker {
  var metrics = PrimaryMetrics()
  var lag = LagTracker()
  /// The number of unresolved steps since the stream last confirmed a message.
  private var unresolvedSteps = 0

  /// The number of unresolved steps at which the stream counts as unreachable.
  ///
  /// Fewer may result from lost or stale answers.
  private static let attemptLimit = 5

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
      unresolvedSteps += 1
      return unresolvedSteps == Self.attemptLimit
        ? .streamUnreachable(
          reason: "it has not confirmed a message in \(Self.attemptLimit) tries.")
        : nil
    case .located, .blocked:
      // Locating the end of the stream does not prove that it accepts messages.
      return nil
    case .accepted, .idle:
      defer { unresolvedSteps = 0 }
      return unresolvedSteps >= Self.attemptLimit ? .streamReachable : nil
    }
  }
}
