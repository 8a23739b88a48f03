import Foundation
import SampleLog

@testable import HealthStore

/// Shorthands for the tests of samples, predicates and sorting.
enum Make {
  static let bpm = HKUnit(from: "count/min")
  static let heartRate = HKQuantityType(.heartRate)
  static let steps = HKQuantityType(.stepCount)
  static let sleep = HKCategoryType(.sleepAnalysis)

  static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  static func heartRate(
    _ value: Double = 60, from start: Double = 0, to end: Double? = nil,
    device: HKDevice? = nil, metadata: [String: Any]? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: heartRate, quantity: HKQuantity(unit: bpm, doubleValue: value), start: date(start),
      end: date(end ?? start), device: device, metadata: metadata)
  }

  static func sleep(
    _ value: HKCategoryValueSleepAnalysis = .asleepREM, from start: Double = 0,
    to end: Double = 60, metadata: [String: Any]? = nil
  ) -> HKCategorySample {
    HKCategorySample(
      type: sleep, value: value.rawValue, start: date(start), end: date(end), metadata: metadata)
  }

  /// A sample of several values with a start and an end each.
  ///
  /// It lasts from the first start to the last end unless it has dates of its own.
  static func series(
    _ type: HKQuantityType, _ values: [(start: Double, end: Double, value: Double)],
    from start: Double? = nil, to end: Double? = nil, revision: HKSourceRevision? = nil
  ) throws -> HKQuantitySample {
    let values = values.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      .map { QuantityValue(value: $0.value, start: $0.start, end: $0.end) }
    return HKQuantitySample.make(
      try BuiltSample(
        condensing: values, unit: type.canonicalUnit, type: type,
        start: date(start ?? values[0].start), end: date(end ?? values.map(\.end).max() ?? 0),
        device: nil, metadata: nil, sourceRevision: revision))
  }

  static func device(name: String? = nil, model: String? = nil) -> HKDevice {
    HKDevice(
      name: name, manufacturer: nil, model: model, hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
  }

  static func revision(_ bundle: String, version: String? = "1") -> HKSourceRevision {
    HKSourceRevision(
      source: HKSource(name: bundle.uppercased(), bundleIdentifier: bundle), version: version,
      productType: "Phone1,1",
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 26, minorVersion: 1, patchVersion: 0))
  }
}

/// A stored row, for samples that are views of a block.
struct ViewRow {
  var uuid = UUID()
  var start = 0.0
  var end = 0.0
  var value = 0.0
  var unit = Make.bpm
  var revision = Make.revision("block")
  var device: HKDevice?
  var metadata: [String: Any]?
  var isCorrelated = false
}

extension Make {
  /// Samples that are views of stored rows.
  static func views(_ type: HKSampleType, _ rows: [ViewRow]) throws -> [HKSample] {
    let database = try Database(path: "/views", fileSystem: MemoryFileSystem())
    defer { database.closeIgnoringErrors() }
    let symbols = database.symbols
    var batch = Batch()
    for row in rows {
      var extras = Extras()
      if let metadata = row.metadata { extras.metadata = try MetadataCoding.encode(metadata) }
      if row.isCorrelated { extras.memberOf = [Identifier(UUID())] }
      let bytes = extras.encoded
      batch.add(
        subject: symbols.intern(""), type: symbols.intern(type.identifier),
        id: Identifier(row.uuid), start: row.start, end: row.end, value: row.value,
        unit: symbols.intern(row.unit.unitString),
        source: symbols.intern(row.revision.storedBytes),
        device: row.device.map { symbols.intern($0.storedBytes) } ?? 0,
        extras: bytes.isEmpty ? 0 : batch.intern(extras: bytes))
    }
    try database.commit(batch)
    let (snapshot, reader) = (database.snapshot(), RowReader(database))
    return try rows.compactMap { row in
      try snapshot.row(Identifier(row.uuid)).map {
        HKSample.make(block: StoredBlock($0.block, type, reader), row: Int32($0.row))
      }
    }
  }
}
