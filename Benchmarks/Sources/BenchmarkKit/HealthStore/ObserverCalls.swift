import Foundation

/// Counts the calls of many observers.
final class ObserverCalls: @unchecked Sendable {
  private let condition = NSCondition()
  // Guarded by the condition.
  private var total = 0
  private var wanted = Int.max
  private var error: (any Error)?

  /// The number of calls.
  var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return total
  }

  /// Counts a call, which may have reported an error.
  func note(_ error: (any Error)?) {
    condition.lock()
    defer { condition.unlock() }
    total += 1
    if self.error == nil { self.error = error }
    if total >= wanted || error != nil { condition.broadcast() }
  }

  /// Waits until there were `count` calls in total.
  ///
  /// Only one thread at a time may wait.
  ///
  /// - Throws: The error that a call reported, or ``BenchmarkError/failed(_:)`` if there is no call
  /// for a minute.
  func wait(for count: Int) throws {
    condition.lock()
    defer { condition.unlock() }
    wanted = count
    while total < count, error == nil {
      let before = total
      if !condition.wait(until: Date(timeIntervalSinceNow: 60)), total == before {
        throw BenchmarkError.failed("\(total) of \(count) calls of observers came.")
      }
    }
    if let error { throw error }
  }
}
