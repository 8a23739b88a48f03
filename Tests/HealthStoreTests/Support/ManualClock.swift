import SampleLog

@testable import HealthStore

/// A clock that only a test advances.
final class ManualClock: Sendable {
  private struct State {
    var now = 0.0
    var calls: [(time: Double, body: @Sendable () -> Void)] = []
  }

  private let state = Locked(State())

  var clock: StoreClock {
    StoreClock(
      now: { self.state.withLock { $0.now } },
      schedule: { delay, body in
        self.state.withLock { $0.calls.append(($0.now + delay, body)) }
      })
  }

  /// The number of scheduled calls.
  var pendingCount: Int { state.withLock { $0.calls.count } }

  /// Advances the clock and makes the calls that are then due, on the calling thread.
  func advance(by seconds: Double) {
    state.withLock { $0.now += seconds }
    while true {
      let due = state.withLock { state -> (@Sendable () -> Void)? in
        guard let index = state.calls.firstIndex(where: { $0.time <= state.now }) else {
          return nil
        }
        return state.calls.remove(at: index).body
      }
      guard let due else { return }
      due()
    }
  }
}

extension StoreRegistry {
  /// Waits until no store is being closed.
  func settle() {
    condition.lock()
    while slots.values.contains(where: \.isClosing) { condition.wait() }
    condition.unlock()
  }

  /// Waits until no store is open.
  func waitUntilClosed() {
    condition.lock()
    while !slots.isEmpty { condition.wait() }
    condition.unlock()
  }

  /// The number of open stores, including idle ones.
  var openCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return slots.count
  }
}
