import SampleLog

/// A bell that a reader of the log waits for; nothing is buffered behind it.
///
/// The reader begins by reading from its anchor, then is woken whenever a commit to one of its
/// series left something to read.
final class LiveFeed: Sendable {
  private struct State {
    var position: FeedPosition
    var subscription: Subscription?
    var ending: Int?
  }

  private let store: OpenStore
  private let state: Locked<State>

  /// Begins as reading from a place.
  ///
  /// `wake` is called once when there is something to read, until that has been read, and must
  /// return at once; `end` is called when the store is closed.
  init(
    _ store: OpenStore, series: [SeriesKey], after sequence: UInt64,
    wake: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.store = store
    state = Locked(State(position: FeedPosition(sequence)))
    let wanted = Set(series)
    let subscription = store.database.subscribe { [weak self] sequence, touched in
      guard let self else { return }
      let concernsReader = !touched.isDisjoint(with: wanted)
      let mustWake = state.withLock {
        $0.position.ring(sequence, concernsReader: concernsReader)
      }
      if mustWake { wake() }
    }
    state.withLock { $0.subscription = subscription }
    let ending = store.whenClosed(end)
    state.withLock { $0.ending = ending }
  }

  deinit { cancel() }

  /// Begins to read if there may be something; returns the place to read after.
  func beginReading() -> UInt64? { state.withLock { $0.position.beginReading() } }

  /// Ends reading at a place; returns whether there may be more.
  func endReading(at end: UInt64, isCut: Bool) -> Bool {
    state.withLock { $0.position.endReading(at: end, isCut: isCut) }
  }

  /// Ends the wish to be woken.
  func cancel() {
    let (subscription, ending) = state.withLock { state in
      defer {
        state.subscription = nil
        state.ending = nil
      }
      return (state.subscription, state.ending)
    }
    subscription?.cancel()
    if let ending { store.forget(ending: ending) }
  }
}
