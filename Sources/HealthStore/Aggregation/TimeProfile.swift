/// The time that samples say in one interval, in which a moment counts once.
///
/// A sample is a share of each of its moments; where samples overlap, the greatest share counts.
struct TimeProfile {
  /// The shares that last, rising, and when each ends, falling: a sample that another one outdoes
  /// until its end is left out.
  private var shares: [(share: Double, end: Double)] = []
  private var now = -Double.infinity
  private var seconds = 0.0

  /// Adds a share of the moments until an end; starts must not fall.
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

  /// Ends the interval and returns the seconds that it has.
  mutating func finish() -> Double {
    advance(to: .infinity)
    return seconds
  }

  private mutating func advance(to time: Double) {
    while time > now, let last = shares.last {
      if last.end > now {
        let end = min(last.end, time)
        // Nothing lasts before the first share.
        seconds += last.share * (end - now)
        now = end
      }
      if last.end <= now { shares.removeLast() }
    }
    now = max(now, time)
  }
}
