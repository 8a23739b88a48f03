/// Measures how long something takes, from its creation on.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// Seconds since the start.
  var seconds: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
