import Foundation
internal import SampleLog

// Runs the work of a store object on background threads.
extension HKHealthStore {
  /// The location of the store, or `closed` after ``close()`` of an object with a subject.
  var location: StoreLocation { state.withLock { $0.location } }

  /// Runs a function with the store on a background thread, then reports its result.
  func work<Value: Sendable>(
    on executor: BlockingExecutor = .pool,
    _ body: @escaping @Sendable (OpenStore, String) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let location = location
    let subject = subject
    run(on: executor, { try body(try location.open(), subject) }, completion: completion)
  }

  /// Changes the store on a background thread, under the authorization policy in effect now, then
  /// reports the result.
  ///
  /// It reports success once the store's delegate has confirmed every commit so far, even if this
  /// call committed nothing: a retry after a failed confirmation finds its rows already in the
  /// store. The policy is passed as an argument, because capturing a second object would cost the
  /// closure an allocation.
  func write<Value: Sendable>(
    _ report: @escaping @Sendable (Result<Value, any Error>) -> Void,
    _ body: @escaping @Sendable (OpenStore, String, AuthorizationPolicy?) throws -> Value
  ) {
    let (location, policy) = state.withLock { ($0.location, $0.policy) }
    let subject = subject
    let fence = ThreadFence()
    fence.barrier()
    BlockingExecutor.current.run {
      fence.barrier()
      let result = Result<Value, any Error> {
        let store = try location.open()
        try store.checkSaving()
        let value = try body(store, subject, policy)
        try store.confirm()
        return value
      }.mapError(HKError.from)
      WorkerPool.blocking { report(result) }
    }
  }

  /// Runs a function that may block on disk I/O on a background thread, then reports its result.
  func run<Value: Sendable>(
    on executor: BlockingExecutor = .pool, _ body: @escaping @Sendable () throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let fence = ThreadFence()
    fence.barrier()
    (BlockingExecutor.simulated ?? executor).run {
      fence.barrier()
      let result = Result { try body() }.mapError(HKError.from)
      WorkerPool.blocking { completion(result) }
    }
  }

  /// Runs a function with the store on a background thread and awaits its result.
  func value<Value: Sendable>(
    on executor: BlockingExecutor = .pool,
    _ body: @escaping @Sendable (OpenStore, String) throws -> Value
  ) async throws -> Value {
    let (location, subject) = (location, subject)
    return try await result(on: executor) { try body(try location.open(), subject) }
  }

  /// Runs a function that operates on the whole store on a background thread and awaits its result.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if this object is limited to a subject.
  func wholeStore<Value: Sendable>(
    _ name: String = #function, _ body: @escaping @Sendable (OpenStore) throws -> Value
  ) async throws -> Value {
    guard coversStore else {
      throw HKError.make(
        .errorInvalidArgument,
        "\(name) concerns every subject of the store, and this object is limited to one; call it "
          + "on a HealthDatabase.")
    }
    return try await value { store, _ in try body(store) }
  }

  /// Runs a function that may block on disk I/O on a background thread and awaits its result.
  func result<Value: Sendable>(
    on executor: BlockingExecutor = .pool, of body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      run(on: executor, body) { continuation.resume(with: $0) }
    }
  }

  /// Changes the store on a background thread and awaits the result.
  func changing<Value: Sendable>(
    _ body: @escaping @Sendable (OpenStore, String) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      write({ continuation.resume(with: $0) }) { store, subject, _ in try body(store, subject) }
    }
  }

  /// Reads from the store on a background thread and awaits the result.
  ///
  /// Readers are CPU-bound, so running as many at once as there are processors is enough, and
  /// dispatch starts work sooner than the pool.
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    let open = opening
    return try await result(on: .readers) { try body(try open()) }
  }

  /// Answers a query of an async caller.
  ///
  /// Runs on the caller's thread if the answer is small and in memory, within the limits of
  /// ``InlineWork``, and otherwise on a background thread. The function may be called twice, so it
  /// must have no side effects.
  func answering<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    if let value = try inlineAnswer(body) { return value }
    return try await reading(body)
  }

  /// Returns the answer, or nil if this thread cannot compute it without waiting.
  private func inlineAnswer<Value>(_ body: (StoreReader) throws -> Value) throws -> Value? {
    // Simulations schedule all work themselves.
    guard BlockingExecutor.simulated == nil else { return nil }
    InlineWork.begin()
    do {
      guard let reader = inlineReader() else {
        _ = InlineWork.end()
        return nil
      }
      let value = try body(reader)
      return InlineWork.end() ? nil : value
    } catch {
      if InlineWork.end() { return nil }
      throw HKError.from(error)
    }
  }

  /// Returns a reader, or nil unless the store is open and this process is its writer.
  ///
  /// Opening a store reads files, and so does refreshing it with another process's commits.
  private func inlineReader() -> StoreReader? {
    state.withLock { state in
      if let reader = state.reader { return reader }
      guard let store = state.location.opened, store.database.mode == .readWrite else {
        return nil
      }
      let reader = StoreReader(
        store, subject: subject, policy: state.policy, calendar: state.calendar)
      state.reader = reader
      return reader
    }
  }

  /// Opens a reader under the calendar and the authorization policy in effect now.
  var opening: @Sendable () throws -> StoreReader {
    let (location, policy, own) = state.withLock { ($0.location, $0.policy, $0.calendar) }
    let (subject, calendar) = (subject, own ?? .current)
    return {
      StoreReader(try location.open(), subject: subject, policy: policy, calendar: calendar)
    }
  }

  /// Awaits a method with a completion handler, which a subclass may have overridden.
  func attempt(
    _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async throws {
    try Task.checkCancellation()
    try await withFencedContinuation { (continuation: FencedContinuation<Void>) in
      call { success, error in continuation.resume(success ? () : nil, error) }
    }
  }
}

/// Returns a receiver of a result that calls one of HealthKit's completion handlers.
func reporting(
  to completion: @escaping @Sendable (Bool, (any Error)?) -> Void
) -> @Sendable (Result<Void, any Error>) -> Void {
  { completion($0.failure == nil, $0.failure) }
}

/// A predicate that is passed to another thread, as HealthKit allows.
///
/// This module's predicates are values and can be shared. The block of a block predicate must be
/// safe to call from any thread, as HealthKit requires.
struct SharedPredicate: @unchecked Sendable {
  let value: NSPredicate

  init(_ value: NSPredicate) { self.value = value }
}
