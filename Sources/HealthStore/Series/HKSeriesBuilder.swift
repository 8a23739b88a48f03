public import Foundation
import SampleLog

/// Collects a series of data and saves it as one sample.
///
/// Abstract: make a subclass's objects. They may be used from any thread.
open class HKSeriesBuilder: NSObject, @unchecked Sendable {
  let healthStore: HKHealthStore
  let builderDevice: HKDevice?
  private let state = Locked(State.open)
  /// Takes the series once it was saved; of a builder that is a workout builder's.
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

  /// Gives up what was collected; the builder is of no use afterwards.
  ///
  /// Nothing happens when the series was finished or is being finished.
  open func discard() {
    state.withLock { state in
      if case .open = state { state = .discarded }
    }
  }

  /// What was collected, as a sample; nil when nothing was.
  ///
  /// - Throws: ``HKInvalidSampleError`` when it cannot be stored.
  func collectedSeries() throws -> HKSample? { nil }

  /// Begins to finish the series for another, unless it was finished or discarded.
  func takeOver() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .finishing
      return true
    }
  }

  /// Throws when nothing can be added any more.
  func checkOpen() throws(HKError) {
    let state = state.withLock { $0 }
    if case .open = state { return }
    throw Self.error(state)
  }

  /// Throws when somebody finishes the series already, or it was finished or discarded.
  func beginFinishing() throws(HKError) {
    let before = state.withLock { state in
      let before = state
      if case .open = state { state = .finishing }
      return before
    }
    if case .open = before { return }
    throw Self.error(before)
  }

  /// Says how finishing ended: after a failure it may be tried again.
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
  /// Does something at once and reports how it ended on a background thread.
  func report(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: () throws -> Void
  ) {
    let result = Result { try body() }.mapError(HKError.from)
    WorkerPool.shared.async {
      WorkerPool.lend {
        switch result {
        case .success: completion(true, nil)
        case .failure(let error): completion(false, error)
        }
      }
    }
  }

  /// Finishes the series: saves on a background thread what a function makes, then reports it.
  func finish<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ body: @escaping @Sendable (OpenStore, String, AuthorizationPolicy?) throws -> Value
  ) {
    healthStore.write({ store, subject, policy in
      try self.beginFinishing()
      do {
        let value = try body(store, subject, policy)
        self.endFinishing(successfully: true)
        return value
      } catch {
        self.endFinishing(successfully: false)
        throw error
      }
    }) { result in
      switch result {
      case .success(let value): completion(value, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }

  /// Waits for a finish with a handler.
  func finished<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      call { value, error in
        if let value {
          continuation.resume(returning: value)
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
    }
  }
}
