import Dispatch

/// A monotonic clock with a timer.
///
/// Tests can replace both.
struct StoreClock: Sendable {
  /// The monotonic time in seconds.
  var now: @Sendable () -> Double
  /// Runs a function after a delay in seconds, on a thread that may block on disk I/O.
  var schedule: @Sendable (Double, @escaping @Sendable () -> Void) -> Void

  /// The system clock.
  ///
  /// All stores share one queue, which uses no thread while it is idle.
  static let system: StoreClock = {
    let queue = DispatchQueue(label: "healthstore.clock", qos: .utility)
    return StoreClock(
      now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
      schedule: { delay, body in
        queue.asyncAfter(deadline: .now() + delay) { WorkerPool.shared.async(body) }
      })
  }()
}
