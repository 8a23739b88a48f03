public import Foundation
import SampleLog

/// Collects a series of data and saves it as one sample.
///
/// Abstract; use a subclass. Builders may be used from any thread.
open class HKSeriesBuilder: NSObject, @unchecked Sendable {
  let healthStore: HKHealthStore
  let builderDevice: HKDevice?
  private let state = Locked(State.open)
  private let metadata = Locked<[String: Any]>([:])
  /// A handler for the saved series, if the builder belongs to a workout builder.
  let whenFinished = Locked<(@Sendable (HKSample) -> Void)?>(nil)

  private enum State {
    case open
    case finishing
    case finished
    case discarded
  }

  init(_ healthStore: HKHealthStore, _ device: HKDevice?) {
    self.healthStore = healthStore
    builderDevice = device
    super.init()
  }

  /// Discards the collected data.
  ///
  /// The builder cannot be used afterwards.
  ///
  /// Has no effect if the series is finished or is being finished.
  open func discard() {
    state.withLock { state in
      if case .open = state { state = .discarded }
    }
  }

  /// Returns the collected data as a sample, or nil if there are none.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the sample cannot be stored.
  func collectedSeries() throws -> HKSample? { nil }

  /// Begins finishing on behalf of another builder; returns false unless the series is open.
  func takeOver() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .finishing
      return true
    }
  }

  /// Throws if no more data can be added.
  func checkOpen() throws(HKError) {
    let state = state.withLock { $0 }
    if case .open = state { return }
    throw Self.error(state)
  }

  /// Begins finishing; throws if the series is already being finished, or is finished or discarded.
  func beginFinishing() throws(HKError) {
    let before = state.withLock { state in
      let before = state
      if case .open = state { state = .finishing }
      return before
    }
    if case .open = before { return }
    throw Self.error(before)
  }

  /// Ends finishing.
  ///
  /// After a failure, the series is open again and finishing may be retried.
  func endFinishing(successfully: Bool) {
    state.withLock { $0 = successfully ? .finished : .open }
  }

  private static func error(_ state: State) -> HKError {
    let reason =
      switch state {
      case .discarded: "The series was discarded"
      default: "The series was finished"
      }
    return HKError.make(.errorInvalidArgument, "\(reason); make a new builder.")
  }
}

extension HKSeriesBuilder {
  /// The metadata that was added to the series, or nil if there is none.
  var addedMetadata: [String: Any]? { metadata.withLock { $0.isEmpty ? nil : $0 } }

  /// Adds metadata to an open series; the new values replace those of existing keys.
  func add(
    metadata added: [String: Any], _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(completion) {
      try checkOpen()
      _ = try Metadata.entries(added)
      metadata.withLock { $0.merge(added) { $1 } }
    }
  }

  /// Runs a function immediately and reports its result on a background thread.
  func report(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: () throws -> Void
  ) {
    let result = Result { try body() }.mapError(HKError.from)
    WorkerPool.shared.async {
      WorkerPool.blocking { completion(result.failure == nil, result.failure) }
    }
  }

  /// Saves the result of a function on a background thread and reports it.
  func finish<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ body: @escaping @Sendable (OpenStore, String, AuthorizationPolicy?) throws -> Value
  ) {
    healthStore.write({ completion($0.success, $0.failure) }) { store, subject, policy in
      try self.beginFinishing()
      do {
        let value = try body(store, subject, policy)
        self.endFinishing(successfully: true)
        return value
      } catch {
        self.endFinishing(successfully: false)
        throw error
      }
    }
  }

  /// Waits for a finish that reports to a handler.
  func finished<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      call { continuation.resume($0, $1) }
    }
  }
}
