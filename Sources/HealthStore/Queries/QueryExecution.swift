internal import SampleLog

/// One query's life, once through: idle, running, ended.
///
/// Handlers are called by the query's own serial work, so in order and never at the same time.
final class QueryExecution: Sendable {
  private enum State {
    case idle
    /// Keeps the query alive, the feed that it listens to, and what background delivery knows it
    /// by.
    case running(HKQuery, ChangeFeed?, DeliveryObserver?)
    case ended
  }

  private let state = Locked(State.idle)
  let queue = SerialWork()

  /// Whether the query has been executed.
  var wasExecuted: Bool {
    state.withLock { state in
      if case .idle = state { return false }
      return true
    }
  }

  /// The feed that the query listens to while it runs.
  var feed: ChangeFeed? { source?.feed }

  /// The feed, and what background delivery knows the query by, while it runs and listens.
  var source: (feed: ChangeFeed, observer: DeliveryObserver?)? {
    state.withLock { state in
      if case .running(_, let feed?, let observer) = state { return (feed, observer) }
      return nil
    }
  }

  /// Whether it was started and neither finished nor stopped.
  var isRunning: Bool {
    state.withLock { state in
      if case .running = state { return true }
      return false
    }
  }

  /// Begins to run a query.
  ///
  /// - Precondition: It was not executed before.
  func start(_ query: HKQuery, on healthStore: HKHealthStore) {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .running(query, nil, nil)
      return true
    }
    trapUnless(isFirst, "A query was executed a second time; make a new one instead.")
    let location = healthStore.location
    let subject = healthStore.subject
    let calendar = healthStore.calendar
    let policy = healthStore.authorization
    // The store stays in use for as long as the query runs.
    perform {
      do {
        let store = try location.open()
        try query.run(
          StoreReader(store, subject: subject, policy: policy, calendar: calendar))
      } catch {
        self.fail(query, error)
      }
    }
  }

  /// Ends the query; no call of a handler begins afterwards.
  func stop() {
    end { state in
      if case .idle = state { return false }
      return true
    }
  }

  /// Ends the query from within.
  func finish() { end { _ in true } }

  private func end(if mayEnd: (borrowing State) -> Bool) {
    let old = state.withLock { state -> State in
      let old = state
      if mayEnd(state) { state = .ended }
      return old
    }
    if case .running(_, let feed, let observer) = old {
      feed?.cancel()
      observer?.leave()
    }
  }

  /// Reports an error to the query's handler, after which the query has ended.
  func fail(_ query: HKQuery, _ error: any Error) {
    deliver { query.fail(HKError.from(error)) }
    finish()
  }

  /// Listens to a feed until the query ends.
  func listen(to feed: ChangeFeed, _ observer: DeliveryObserver? = nil) {
    let isRunning = state.withLock { state in
      guard case .running(let query, _, _) = state else { return false }
      state = .running(query, feed, observer)
      return true
    }
    if !isRunning { feed.cancel() }
  }

  /// Runs something on the query's queue if the query is still running then.
  func perform(_ body: @escaping @Sendable () -> Void) {
    // Asking whether it runs takes the lock as well, which orders the two threads.
    state.pass()
    queue.async { if self.isRunning { body() } }
  }

  /// Calls a handler unless the query has ended; on the query's queue only.
  func deliver(_ call: () -> Void) {
    if isRunning { WorkerPool.lend(call) }
  }
}
