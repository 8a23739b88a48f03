/// Whether the iterator of a descriptor waits for changes.
enum DescriptorFeedState: Sendable {
  /// Nobody waits, and there has been no notification since somebody last waited.
  case quiet
  /// Nobody waits, and there may be something to read.
  case notified
  /// A task waits for something to read.
  case waiting(Waiter)
  /// The feed is over; why, until somebody was told.
  case ended((any Error)?)

  typealias Waiter = CheckedContinuation<Void, any Error>

  /// What a caller that wants to wait must do.
  enum Turn {
    case wait
    case go
    case fail(any Error)
  }

  /// An iterator was used by two tasks at once.
  struct SecondReader: Error {}

  /// Whether the feed is over; throws the reason if nobody was told.
  mutating func checkEnd() throws -> Bool {
    guard case .ended(let error) = self else { return false }
    self = .ended(nil)
    if let error { throw error }
    return true
  }

  /// Notes that there may be something to read; returns who waits for it.
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

  /// Asks to wait for something to read.
  mutating func wait(_ next: Waiter) -> Turn {
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

  /// Ends the feed; returns who must be told.
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
