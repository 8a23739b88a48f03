internal import SampleLog

/// The life cycle of one query: idle, running, ended, without a way back.
///
/// Handlers run on the query's serial queue, so they are called in order and never concurrently.
final class QueryExecution: Sendable {
  private enum State {
    case idle
    /// Keeps the query alive, together with its feed and its registration for background delivery.
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

  /// The feed that the running query is subscribed to.
  var feed: ChangeFeed? { source?.feed }

  /// The feed and the background delivery registration of the running query, if it is subscribed.
  var source: (feed: ChangeFeed, observer: DeliveryObserver?)? {
    state.withLock { state in
      if case .running(_, let feed?, let observer) = state { return (feed, observer) }
      return nil
    }
  }

  /// Whether the query has been started and has not ended.
  var isRunning: Bool {
    state.withLock { state in
      if case .running = state { return true }
      return false
    }
  }

  /// Starts a query, which reads from the store that a function opens.
  ///
  /// - Precondition: The query was not executed before.
  func start(_ query: HKQuery, opening open: @escaping @Sendable () throws -> StoreReader) {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .running(query, nil, nil)
      return true
    }
    trapUnless(isFirst, "A query was executed a second time; make a new one instead.")
    // The store stays open while the query runs.
    perform {
      do {
        try query.run(try open())
      } catch {
        self.fail(query, error)
      }
    }
  }

  /// Stops the query.
  ///
  /// No handler call begins afterwards.
  func stop() {
    end { state in
      if case .idle = state { return false }
      return true
    }
  }

  /// Ends the query after its last result.
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

  /// Reports an error to the query's handler and ends the query.
  func fail(_ query: HKQuery, _ error: any Error) {
    deliver { query.fail(HKError.from(error)) }
    finish()
  }

  /// Subscribes to a feed until the query ends.
  func listen(to feed: ChangeFeed, _ observer: DeliveryObserver? = nil) {
    let isRunning = state.withLock { state in
      guard case .running(let query, _, _) = state else { return false }
      state = .running(query, feed, observer)
      return true
    }
    if !isRunning { feed.cancel() }
  }

  /// Runs a function on the query's queue, unless the query has ended by then.
  func perform(_ body: @escaping @Sendable () -> Void) {
    let fence = ThreadFence()
    fence.barrier()
    queue.async {
      fence.barrier()
      if self.isRunning { body() }
    }
  }

  /// Calls a handler unless the query has ended; call it on the query's queue only.
  func deliver(_ call: () -> Void) {
    if isRunning { WorkerPool.blocking(call) }
  }
}
