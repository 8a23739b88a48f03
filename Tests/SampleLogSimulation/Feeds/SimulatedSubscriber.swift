import SampleLog

/// A subscriber to the feed: its filter, its position, and whether it was notified.
final class SimulatedSubscriber {
  let number: Int
  let filter: FeedFilter
  let limit: Int?
  /// The number of turns, on average, between reads of the subscriber.
  let slowness: Int
  /// The name of its durable subscription, or nil if it keeps its sequence number itself.
  let durableName: String?

  var anchor = Anchor.beginning
  /// The anchors of acknowledged sequence numbers, from which it can resume.
  var anchors: [UInt64: Anchor] = [:]
  var acknowledged: UInt64?
  var isStopped = false
  var observation: CommitObservation?
  /// Whether the subscriber has a reason to read.
  var mustRead = true

  init(_ number: Int, _ random: inout Seeded) {
    self.number = number
    var filter = FeedFilter()
    if random.once(in: 2) {
      filter.series = Set((0..<FeedSimulation.seriesCount).filter { _ in random.once(in: 2) })
    }
    if random.once(in: 3) { filter.minimum = 50 }
    self.filter = filter
    limit = [nil, nil, 1, 3, 10][random.drawn(below: 5)]
    slowness = [1, 1, 2, 8][random.drawn(below: 4)]
    durableName = random.once(in: 2) ? "subscriber \(number)" : nil
  }
}
