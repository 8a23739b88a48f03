import Dispatch
import Foundation
import SampleLog

@testable import HealthStore

let testHeartRate = HKQuantityType(.heartRate)
let testSteps = HKQuantityType(.stepCount)
let testBeats = HKUnit(from: "count/min")
let testStart = Date(timeIntervalSinceReferenceDate: 700_000_000)

func heartBeat(
  _ value: Double, at offset: TimeInterval = 0, metadata: [String: Any]? = nil,
  device: HKDevice? = nil, source: HKSourceRevision? = nil
) throws -> HKQuantitySample {
  try HKQuantitySample.validated(
    type: testHeartRate, quantity: HKQuantity(unit: testBeats, doubleValue: value),
    start: testStart.addingTimeInterval(offset), end: testStart.addingTimeInterval(offset),
    device: device, metadata: metadata, sourceRevision: source)
}

func revision(_ bundle: String, _ version: String? = "1") -> HKSourceRevision {
  HKSourceRevision(
    source: HKSource(name: bundle.uppercased(), bundleIdentifier: bundle), version: version,
    productType: "Watch7,1",
    operatingSystemVersion: OperatingSystemVersion(
      majorVersion: 11, minorVersion: 2, patchVersion: 0))
}

extension HKHealthStore {
  func read<Sample>(
    _ predicate: HKSamplePredicate<Sample>, sort: [SortDescriptor<Sample>] = []
  ) async throws -> [Sample] {
    try await HKSampleQueryDescriptor(predicates: [predicate], sortDescriptors: sort)
      .result(for: self)
  }

  /// The heart rates that a predicate admits.
  func beats(_ predicate: NSPredicate? = nil) async throws -> [Double] {
    try await read(.quantitySample(type: testHeartRate, predicate: predicate))
      .map { $0.quantity.doubleValue(for: testBeats) }
  }

  func changes(
    after anchor: HKQueryAnchor?, limit: Int? = nil
  ) async throws -> HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result {
    try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)], anchor: anchor, limit: limit
    ).result(for: self)
  }
}

/// A directory that is removed with the test.
final class StoreDirectory {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("health-store-tests-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: url) }
}

extension QueryExecution {
  /// Waits until the query has finished its pending work.
  func settle() {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    done.wait()
  }
}

extension StoreReader {
  /// Reads all samples.
  init(_ store: OpenStore, subject: String) {
    self.init(store, subject: subject, policy: nil)
  }
}
