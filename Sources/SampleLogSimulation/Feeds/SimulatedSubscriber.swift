import SampleLog

/// One who follows the feed: what it wants, where it is, and whether it was notified.
final class SimulatedSubscriber {
  let number: Int
  let filter: FeedFilter
  let limit: Int?
  /// Reads only once in so many turns.
  let slowness: Int
  /// Under what name its sequence is acknowledged; nil when it keeps its sequence number to itself.
  let durableName: String?

  var anchor = Anchor.beginning
  /// What it keeps beside the sequence numbers that it acknowledged, for going on from there.
  var anchors: [UInt64: Anchor] = [:]
  var acknowledged: UInt64?
  var isStopped = false
  var observation: CommitObservation?
  /// Whether it has a reason to read.
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
