import Foundation
internal import SampleLog

extension HKHealthStore {
  /// Does something with the store on a background thread, then reports how it ended.
  func work<Value: Sendable>(
    on executor: BlockingExecutor = .pool,
    _ body: @escaping @Sendable (OpenStore, String) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let location = location
    let subject = subject
    run(on: executor, { try body(try location.open(), subject) }, completion: completion)
  }

  /// Changes the store on a background thread, as the policy of this moment lets it.
  ///
  /// The policy comes as an argument, because what a closure captures beside one object costs it an
  /// allocation.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (OpenStore, String, AuthorizationPolicy?) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let location = location
    let subject = subject
    let policy = authorization
    run(
      {
        let store = try location.open()
        return try store.confirming { try body(store, subject, policy) }
      }, completion: completion)
  }

  /// Runs something that may wait for a disk on a background thread, then reports how it ended.
  func run<Value: Sendable>(
    on executor: BlockingExecutor = .pool, _ body: @escaping @Sendable () throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let fence = Locked(0)
    fence.pass()
    (BlockingExecutor.simulated ?? executor).run {
      fence.pass()
      let result = Result { try body() }.mapError(HKError.from)
      WorkerPool.lend { completion(result) }
    }
  }

  func perform(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: @escaping @Sendable (OpenStore, String, AuthorizationPolicy?) throws -> Void
  ) {
    write(body) { result in
      switch result {
      case .success: completion(true, nil)
      case .failure(let error): completion(false, error)
      }
    }
  }

  /// The same for async callers.
  func value<Value: Sendable>(
    on executor: BlockingExecutor = .pool,
    _ body: @escaping @Sendable (OpenStore, String) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      work(on: executor, body) { continuation.resume(with: $0) }
    }
  }

  /// Changes the store, for async callers.
  func changing<Value: Sendable>(
    _ body: @escaping @Sendable (OpenStore, String) throws -> Value
  ) async throws -> Value {
    try await value { store, subject in try store.confirming { try body(store, subject) } }
  }

  /// Reads, for async callers.
  ///
  /// Readers are busy rather than waiting, so as many at once as there are processors are enough,
  /// and dispatch hands work over sooner than the pool.
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    let (policy, calendar) = (authorization, calendar)
    return try await value(on: .readers) { store, subject in
      try body(StoreReader(store, subject: subject, policy: policy, calendar: calendar))
    }
  }

  /// Waits for a call with a handler, which a program's subclass may have replaced.
  func attempt(
    _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async throws {
    try Task.checkCancellation()
    try await withFencedContinuation { (continuation: FencedContinuation<Void>) in
      call { success, error in
        if let error {
          continuation.resume(throwing: error)
        } else if success {
          continuation.resume()
        } else {
          continuation.resume(throwing: HKError(.unknownError))
        }
      }
    }
  }
}

/// A predicate on its way to another thread, as HealthKit's users hand them over.
///
/// Predicates that are values, which this module's are, may be shared; a block predicate's block
/// must bear it, as HealthKit demands.
struct SharedPredicate: @unchecked Sendable {
  let value: NSPredicate

  init(_ value: NSPredicate) { self.value = value }
}
