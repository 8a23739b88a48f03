import Foundation
import HealthKit
import HealthKitTesting

/// A queue of handler arguments that a test awaits one by one.
final class Inbox<Value: Sendable>: Sendable {
  private let continuation: AsyncStream<Value>.Continuation
  private let stream: AsyncStream<Value>

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func put(_ value: Value) { continuation.yield(value) }

  /// Returns the first value that satisfies the condition.
  func first(_ isWanted: (Value) -> Bool = { _ in true }) async -> Value? {
    for await value in stream where isWanted(value) { return value }
    return nil
  }
}

/// Monday, 2026-01-05, 12:00 UTC.
let noon = Date(timeIntervalSince1970: 1_767_614_400)

extension TestHealthData {
  /// An app with permission for all of the types.
  func app(sharing types: Set<HKSampleType>, reading more: Set<HKObjectType> = []) async throws
    -> HKHealthStore
  {
    let app = self.app()
    try await app.requestAuthorization(toShare: types, read: more.union(types))
    return app
  }
}

func quantity(
  _ identifier: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, _ start: Date,
  _ end: Date? = nil
) -> HKQuantitySample {
  HKQuantitySample(
    type: HKQuantityType(identifier), quantity: HKQuantity(unit: unit, doubleValue: value),
    start: start, end: end ?? start)
}
