/// Whether an iterator of changes is reading, waiting or done, as a value that decides.
struct ChangeFeedState: Sendable {
  typealias Waiter = CheckedContinuation<Void, any Error>

  /// What a caller that wants to wait must do.
  enum Turn {
    case wait
    case go
    case fail(any Error)
  }

  private var hasBegun = false
  private var hasRung = false
  private var waiter: Waiter?
  private var hasEnded = false
  /// Why the feed ended while nobody waited.
  private var error: (any Error)?

  /// Whether the feed has ended; throws the reason if nobody was told.
  mutating func checkEnd() throws -> Bool {
    if let error {
      self.error = nil
      throw error
    }
    return hasEnded
  }

  /// Whether this is the first read.
  mutating func beginFirst() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  /// Notes that there may be something to read; returns who waits for it.
  mutating func ring() -> Waiter? {
    guard let waiter else {
      hasRung = true
      return nil
    }
    self.waiter = nil
    return waiter
  }

  /// Asks to wait for something to read.
  mutating func wait(_ next: Waiter) -> Turn {
    if let error {
      self.error = nil
      return .fail(error)
    }
    if hasEnded { return .fail(CancellationError()) }
    if hasRung {
      hasRung = false
      return .go
    }
    if waiter != nil { return .fail(SecondReader()) }
    waiter = next
    return .wait
  }

  /// Ends the feed; returns who must be told.
  mutating func end(_ error: (any Error)?) -> Waiter? {
    if !hasEnded, waiter == nil { self.error = error }
    hasEnded = true
    defer { waiter = nil }
    return waiter
  }

  /// An iterator was used by two tasks at once.
  struct SecondReader: Error {}
}
