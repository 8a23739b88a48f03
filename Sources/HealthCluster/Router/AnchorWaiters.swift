import SampleLog

/// Those who wait for a replica to come as far as an anchor; each is resumed once.
struct AnchorWaiters {
  typealias Call = () -> Void

  private enum Waiter {
    /// It has a number but does not wait yet.
    case announced
    /// Its task was cancelled before it waited.
    case cancelled
    case waiting(Anchor, CheckedContinuation<Void, any Error>)
  }

  private var waiters: [Int: Waiter] = [:]
  private var next = 0

  /// Returns the number of a new one.
  mutating func announce() -> Int {
    next += 1
    waiters[next] = .announced
    return next
  }

  /// Has one wait; returns a call to make without the lock if it need not.
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

  /// Ends one that waits; nothing happens when it has ended.
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

  /// The anchors that are waited for.
  var anchors: [(number: Int, anchor: Anchor)] {
    waiters.compactMap { number, waiter in
      if case .waiting(let anchor, _) = waiter { (number, anchor) } else { nil }
    }
  }
}
