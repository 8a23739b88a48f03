import Dispatch

/// Tells the time and does things later, unless a test does both.
struct StoreClock: Sendable {
  /// The time in seconds, which never goes back.
  var now: @Sendable () -> Double
  /// Runs something after so many seconds, on a thread that may wait for a disk.
  var schedule: @Sendable (Double, @escaping @Sendable () -> Void) -> Void

  /// One queue for all stores; it needs no thread while it waits.
  static let system: StoreClock = {
    let queue = DispatchQueue(label: "healthstore.clock", qos: .utility)
    return StoreClock(
      now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
      schedule: { delay, body in
        queue.asyncAfter(deadline: .now() + delay) { WorkerPool.shared.async(body) }
      })
  }()
}
