import HealthKit
import Testing

// Shorthands over the public API, as a client's tests would have them.

let heartRate = HKQuantityType(.heartRate)
let steps = HKQuantityType(.stepCount)
let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

func beat(
  _ value: Double, _ offset: TimeInterval = 0, metadata: [String: Any]? = nil
) -> HKQuantitySample {
  HKQuantitySample(
    type: heartRate, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: value),
    start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset),
    metadata: metadata)
}

func walk(_ count: Double, _ offset: TimeInterval = 0) -> HKQuantitySample {
  HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
    start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset + 60))
}

/// A minute of walking that a source recorded on a product.
func minute(
  _ count: Double, _ offset: TimeInterval = 0, for seconds: TimeInterval = 60,
  from source: HKSource, product: String?, metadata: [String: Any]? = nil
) throws -> HKQuantitySample {
  try HKQuantitySample.validated(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
    start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset + seconds),
    metadata: metadata,
    sourceRevision: HKSourceRevision(
      source: source, version: nil, productType: product,
      operatingSystemVersion: HKSourceRevisionAnyOperatingSystem))
}

/// The code of the error that `body` throws, or `nil` if it returns.
func code<Value>(_ body: () async throws -> Value) async -> HKError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? HKError)?.code
  }
}

extension Collection where Element: HKSample {
  var beats: [Double] {
    compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: beatsPerMinute) }
  }
}

/// A directory that is removed with the test.
final class TemporaryDirectory {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("healthkit-tests-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// One call of an anchored query's handler.
struct AnchoredUpdate: Sendable {
  var samples: [HKSample]?
  var deleted: [HKDeletedObject]?
  var anchor: HKQueryAnchor?
  var error: (any Error)?
}

extension HKHealthStore {
  /// Reads changes with a query and a handler, without descriptors.
  func anchored(
    _ type: HKSampleType, predicate: NSPredicate? = nil, anchor: HKQueryAnchor?,
    limit: Int = HKObjectQueryNoLimit
  ) async throws -> AnchoredUpdate {
    try await withFencedContinuation { continuation in
      let query = HKAnchoredObjectQuery(
        type: type, predicate: predicate, anchor: anchor, limit: limit
      ) { _, samples, deleted, newAnchor, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(
            returning: AnchoredUpdate(samples: samples, deleted: deleted, anchor: newAnchor))
        }
      }
      execute(query)
    }
  }

  func statistics(
    _ type: HKQuantityType, _ options: HKStatisticsOptions
  ) async throws -> HKStatistics {
    try await withFencedContinuation { continuation in
      let query = HKStatisticsQuery(
        quantityType: type, quantitySamplePredicate: nil, options: options
      ) { _, statistics, error in
        guard let statistics else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
          return
        }
        continuation.resume(returning: statistics)
      }
      execute(query)
    }
  }

  func samples(
    _ type: HKSampleType, predicate: NSPredicate? = nil, limit: Int = HKObjectQueryNoLimit,
    sort: [NSSortDescriptor]? = nil
  ) async throws -> [HKSample] {
    try await withFencedContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: type, predicate: predicate, limit: limit, sortDescriptors: sort
      ) { _, results, error in
        guard let results else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
          return
        }
        continuation.resume(returning: results)
      }
      execute(query)
    }
  }
}

/// A continuation whose two sides are ordered for ThreadSanitizer, which on Linux does not see
/// Swift's own synchronisation.
struct FencedContinuation<Value: Sendable>: Sendable {
  let continuation: CheckedContinuation<Value, any Error>
  let fence: NSLock

  func resume(with result: Result<Value, any Error>) {
    fence.withLock {}
    continuation.resume(with: result)
  }

  func resume(returning value: Value) { resume(with: .success(value)) }

  func resume(throwing error: any Error) { resume(with: .failure(error)) }
}

func withFencedContinuation<Value: Sendable>(_ body: (FencedContinuation<Value>) -> Void)
  async throws -> Value
{
  let fence = NSLock()
  defer { fence.withLock {} }
  return try await withCheckedThrowingContinuation { continuation in
    body(FencedContinuation(continuation: continuation, fence: fence))
  }
}
