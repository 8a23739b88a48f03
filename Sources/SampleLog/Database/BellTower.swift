/// Wakes those who wait for commits to some series.
final class BellTower: Sendable {
  private struct Bell: Sendable {
    var number: UInt64
    var isWanted: @Sendable (SeriesKey) -> Bool
    var ring: @Sendable (UInt64, Set<SeriesKey>) -> Void
  }

  private struct State {
    /// In order of their numbers, which is that of their ringing.
    var bells: [Bell] = []
    var next: UInt64 = 0
  }

  private let state = Locked(State())

  /// How many bells there are.
  package var count: Int { state.withLock { $0.bells.count } }

  var isEmpty: Bool { state.withLock { $0.bells.isEmpty } }

  func add(
    _ isWanted: @escaping @Sendable (SeriesKey) -> Bool,
    _ ring: @escaping @Sendable (UInt64, Set<SeriesKey>) -> Void
  ) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.bells.append(Bell(number: state.next, isWanted: isWanted, ring: ring))
      return state.next
    }
  }

  func remove(_ number: UInt64) {
    // What the bell holds is let go outside the lock, which that may need.
    let removed = state.withLock { state in
      let place = state.bells.indices.partition { state.bells[$0].number < number }
      let isThere = place < state.bells.count && state.bells[place].number == number
      return isThere ? state.bells.remove(at: place) : nil
    }
    withExtendedLifetime(removed) {}
  }

  func removeAll() {
    let removed = state.withLock { state in
      defer { state.bells = [] }
      return state.bells
    }
    withExtendedLifetime(removed) {}
  }

  func ring(_ end: UInt64, touched: Set<SeriesKey>) {
    let bells = state.withLock { $0.bells }
    for bell in bells {
      let wanted = touched.filter(bell.isWanted)
      if !wanted.isEmpty { bell.ring(end, wanted) }
    }
  }
}

/// A wish to be told of commits, in force until it is cancelled or forgotten.
public final class Subscription: Sendable {
  private let bells: BellTower
  private let number: UInt64

  init(_ bells: BellTower, _ number: UInt64) {
    self.bells = bells
    self.number = number
  }

  deinit { cancel() }

  /// Ends the subscription; a call that is under way may still come through.
  public func cancel() { bells.remove(number) }
}

extension Database {
  /// How many subscriptions there are.
  package var bellCount: Int { bells.count }

  /// Asks to be told of commits; nothing is queued, the log itself says what happened.
  ///
  /// - Parameters:
  ///   - isWanted: Whether a commit to a series matters.
  ///   - ring: Called with the newest sequence number and the touched series, on the committing
  ///     thread, after the commit became visible and before it is acknowledged. It must return
  ///     at once.
  /// - Returns: The subscription, which ends when it is released.
  public func subscribe(
    to isWanted: @escaping @Sendable (SeriesKey) -> Bool = { _ in true },
    _ ring: @escaping @Sendable (UInt64, Set<SeriesKey>) -> Void
  ) -> Subscription {
    Subscription(bells, bells.add(isWanted, ring))
  }
}
