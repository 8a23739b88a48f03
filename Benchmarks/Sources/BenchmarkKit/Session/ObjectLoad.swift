import Foundation
import HealthStore
import SampleLog

/// Saves the stream as HealthKit's objects through `HKHealthStore` in a separate store.
///
/// The library generates the identifiers, as it does for every program that makes samples.
struct ObjectLoad {
  private let plan: PeerSession.Plan
  private let directory: String
  private let types = StreamNames.types.map { HKQuantityType($0) }
  private let units: [HKUnit]
  private let revisions = StreamNames.sources.map { name in
    HKSourceRevision(source: .default(), version: name)
  }
  private let devices = StreamNames.devices.map { name in
    HKDevice(
      name: name, manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
  }

  init(_ session: PeerSession) throws {
    plan = session.plan
    directory = session.directory + "-objects"
    units = try StreamNames.units.map { try HKUnit.parse($0) }
  }

  /// The rate of saving objects, with and without making them.
  func measure() throws -> [Measurement] {
    var saving: [Double] = []
    var all: [Double] = []
    for _ in 0..<(plan.samples > 2_000_000 ? 1 : plan.repetitions) {
      let load = try fill()
      saving.append(Double(plan.samples) / load.saving)
      all.append(Double(plan.samples) / (load.saving + load.making))
    }
    return [
      Measurement("bulk load of objects", "samples/s", .more, saving),
      Measurement("… making the objects included", "samples/s", .more, all),
    ]
  }

  /// The compacted size of a sample whose identifier the library generated.
  func size() throws -> Measurement {
    _ = try fill()
    let store = try HKHealthStore(directory: URL(fileURLWithPath: directory))
    try blocking {
      try await store.compact()
      try await store.close()
    }
    let bytes = Double(try PeerSession.allocatedBytes(directory)) / Double(plan.samples)
    try? FileManager.default.removeItem(atPath: directory)
    return Measurement("size, our identifiers, compacted", "B/sample", .less, [bytes])
  }

  private func fill() throws -> (making: Double, saving: Double) {
    try? FileManager.default.removeItem(atPath: directory)
    var options = Database.Options()
    options.durability = .buffered
    let store = try HKHealthStore(directory: URL(fileURLWithPath: directory), options: options)
    var stream = try plan.loadOrder.samples(plan.samples, scratch: plan.directory)
    var making = 0.0
    var saving = 0.0
    for start in stride(from: 0, to: plan.samples, by: 10_000) {
      let samples = try stream.next(min(10_000, plan.samples - start))
      var watch = Stopwatch()
      let objects = try samples.map { try object($0) }
      making += watch.seconds
      watch = Stopwatch()
      try blocking { try await store.save(objects) }
      saving += watch.seconds
    }
    let watch = Stopwatch()
    try blocking {
      try await store.flush()
      try await store.close()
    }
    return (making, saving + watch.seconds)
  }

  private func object(_ sample: StreamSample) throws -> HKQuantitySample {
    let type = Int(sample.type)
    var metadata: [String: Any]?
    if sample.metadata > 0 {
      let zones = ["Europe/Zurich", "America/New_York", "Asia/Tokyo"]
      let number = Int(sample.metadata) - 1
      metadata = [
        HKMetadataKeyTimeZone: zones[number / 3], HKMetadataKeyWasUserEntered: number % 3 > 0,
      ]
    }
    return try HKQuantitySample.validated(
      type: types[type],
      quantity: HKQuantity(unit: units[type], doubleValue: sample.value),
      start: Date(timeIntervalSince1970: Double(sample.start) / 1000),
      end: Date(timeIntervalSince1970: Double(sample.end) / 1000),
      device: devices[Int(sample.device)], metadata: metadata,
      sourceRevision: revisions[Int(sample.source)])
  }
}
