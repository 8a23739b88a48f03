/// The total time that samples cover in one interval, without counting overlaps twice.
///
/// A sample contributes a share, from 0 to 1, of each second that it covers. Where samples overlap,
/// only the greatest share counts.
struct TimeProfile {
  /// The active shares in ascending order, with their ends in descending order.
  ///
  /// A share that ends no later than a greater one is not stored.
  private var shares: [(share: Double, end: Double)] = []
  private var now = -Double.infinity
  private var seconds = 0.0

  /// Adds a share of the time between two dates.
  ///
  /// Starts must be in ascending order.
  mutating func add(_ share: Double, from start: Double, until end: Double) {
    advance(to: start)
    var position = shares.count
    while position > 0, shares[position - 1].share >= share { position -= 1 }
    if position < shares.count, shares[position].end >= end { return }
    if position < shares.count, shares[position].share == share { position += 1 }
    var first = position
    while first > 0, shares[first - 1].end <= end { first -= 1 }
    shares.replaceSubrange(first..<position, with: [(share: share, end: end)])
  }

  /// Ends the interval and returns its total time, in seconds.
  mutating func finish() -> Double {
    advance(to: .infinity)
    return seconds
  }

  private mutating func advance(to time: Double) {
    while time > now, let last = shares.last {
      if last.end > now {
        let end = min(last.end, time)
        // `now` is finite here, because no share is active before the first one.
        seconds += last.share * (end - now)
        now = end
      }
      if last.end <= now { shares.removeLast() }
    }
    now = max(now, time)
  }
}
