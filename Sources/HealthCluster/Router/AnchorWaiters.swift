import SampleLog

/// The tasks that wait for a replica to reach an anchor.
///
/// Each is resumed exactly once.
struct AnchorWaiters {
  typealias Call = () -> Void

  private enum Waiter {
    /// The waiter has a number but is not suspended yet.
    case announced
    /// The waiter's task was cancelled before it was suspended.
    case cancelled
    case waiting(Anchor, CheckedContinuation<Void, any Error>)
  }

  private var waiters: [Int: Waiter] = [:]
  private var next = 0

  /// Returns the number of a new waiter.
  mutating func announce() -> Int {
    next += 1
    waiters[next] = .announced
    return next
  }

  /// Suspends a waiter.
  ///
  /// Returns a closure to call after releasing the lock, or nil if the waiter is suspended.
  mutating func wait(
    _ number: Int, for anchor: Anchor, _ continuation: CheckedContinuation<Void, any Error>
  ) -> Call? {
    if case .cancelled = waiters[number] {
      waiters[number] = nil
      return { continuation.resume(throwing: CancellationError()) }
    }
    waiters[number] = .waiting(anchor, continuation)
    return nil
  }

  /// Removes a waiter and returns a closure that resumes it, or nil if it is no longer waiting.
  mutating func end(_ number: Int, _ result: Result<Void, any Error>) -> Call? {
    guard case .waiting(_, let continuation) = waiters[number] else { return nil }
    waiters[number] = nil
    return { continuation.resume(with: result) }
  }

  mutating func cancel(_ number: Int) -> Call? {
    if case .announced = waiters[number] { waiters[number] = .cancelled }
    return end(number, .failure(CancellationError()))
  }

  mutating func endAll(throwing error: any Error) -> [Call] {
    waiters.keys.compactMap { end($0, .failure(error)) }
  }

  /// The anchors that tasks wait for.
  var anchors: [(number: Int, anchor: Anchor)] {
    waiters.compactMap { number, waiter in
      if case .waiting(let anchor, _) = waiter { (number, anchor) } else { nil }
    }
  }
}
