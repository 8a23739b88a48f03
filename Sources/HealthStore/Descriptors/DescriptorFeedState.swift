/// The state of a descriptor's iterator: whether a task is waiting for changes.
enum DescriptorFeedState: Sendable {
  /// No task is waiting, and no notification has arrived since the last wait.
  case quiet
  /// No task is waiting, and there may be changes to read.
  case notified
  /// A task is waiting for changes.
  case waiting(Waiter)
  /// The feed has ended. Holds the error until it has been thrown once.
  case ended((any Error)?)

  typealias Waiter = CheckedContinuation<Void, any Error>

  /// The next action of a caller that wants to wait.
  enum Admission {
    case wait
    case go
    case fail(any Error)
  }

  /// Thrown if two tasks use an iterator concurrently.
  struct SecondReader: Error {}

  /// Returns whether the feed has ended.
  ///
  /// Throws the error if it has not been thrown yet.
  mutating func checkEnd() throws -> Bool {
    guard case .ended(let error) = self else { return false }
    self = .ended(nil)
    if let error { throw error }
    return true
  }

  /// Records that there may be changes to read; returns the waiter to resume, if any.
  mutating func notify() -> Waiter? {
    switch self {
    case .quiet: self = .notified
    case .notified, .ended: break
    case .waiting(let waiter):
      self = .quiet
      return waiter
    }
    return nil
  }

  /// Registers a waiter for changes, unless it can proceed at once.
  mutating func wait(_ next: Waiter) -> Admission {
    switch self {
    case .quiet:
      self = .waiting(next)
      return .wait
    case .notified:
      self = .quiet
      return .go
    case .waiting: return .fail(SecondReader())
    case .ended(let error):
      self = .ended(nil)
      return .fail(error ?? CancellationError())
    }
  }

  /// Ends the feed; returns the waiter to resume with an error, if any.
  mutating func end(_ error: (any Error)?) -> Waiter? {
    switch self {
    case .waiting(let waiter):
      self = .ended(nil)
      return waiter
    case .ended: break
    case .quiet, .notified: self = .ended(error)
    }
    return nil
  }
}
