/// Measures the time since its creation.
struct Stopwatch {
  typealias Instant = ContinuousClock.Instant

  private let start = Self.now

  static var now: Instant { ContinuousClock.now }

  /// Seconds since the start.
  var seconds: Double { Self.seconds(start, Self.now) }

  /// Seconds between two instants.
  static func seconds(_ start: Instant, _ end: Instant) -> Double {
    let (seconds, attoseconds) = (end - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
