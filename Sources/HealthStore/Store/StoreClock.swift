import Dispatch

/// Tells the time and does things later, unless a test does both.
struct StoreClock: Sendable {
  /// The time in seconds, which never goes back.
  var now: @Sendable () -> Double
  /// Runs something after so many seconds; it must return at once.
  var schedule: @Sendable (Double, @escaping @Sendable () -> Void) -> Void

  /// One queue for all stores, which waits without a thread.
  static let system: StoreClock = {
    let queue = DispatchQueue(label: "healthstore.clock", qos: .utility)
    return StoreClock(
      now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
      schedule: { queue.asyncAfter(deadline: .now() + $0, execute: $1) })
  }()
}
