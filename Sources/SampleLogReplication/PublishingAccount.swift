import SampleLog

/// What a primary knows of its publishing, for its metrics and events.
struct PublishingAccount {
  var metrics = PrimaryMetrics()
  var marks = LagMarks()
  /// Steps since the last message was confirmed after which it was not known what the stream has.
  private var unresolvedSteps = 0

  /// An answer may be lost, and one may be old, but not so many without a good one.
  private static let attemptLimit = 5

  /// Takes note of a step.
  ///
  /// - Returns: What there is to report.
  mutating func take(_ step: Publisher.Step, of publisher: Publisher) -> StoreEvent.Kind? {
    metrics.publishedThrough = publisher.publishedThrough
    metrics.messageCount = publisher.messageCount
    metrics.byteCount = publisher.byteCount
    marks.confirm(publisher.publishedThrough)
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
      // Finding the end of the stream does not say that it takes messages.
      return nil
    case .accepted, .idle:
      defer { unresolvedSteps = 0 }
      return unresolvedSteps >= Self.attemptLimit ? .streamReachable : nil
    }
  }
}
