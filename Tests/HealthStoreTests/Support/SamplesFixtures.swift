import Foundation

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

/// A block over an array of rows, as a storage layer would make one over decoded columns.
final class ArrayBlock: SampleBlock, @unchecked Sendable {
  struct Row {
    var uuid = UUID()
    var start = 0.0
    var end = 0.0
    var value = 0.0
    var unit = Make.bpm
    var revision = Make.revision("block")
    var device: HKDevice?
    var metadata: [String: Any]?
    var objects: Set<HKSample> = []
    var isCorrelated = false
  }

  let rows: [Row]

  init(_ type: HKSampleType, _ rows: [Row]) {
    self.rows = rows
    super.init(sampleType: type)
  }

  override func uuid(at row: Int32) -> UUID { rows[Int(row)].uuid }
  override func startDate(at row: Int32) -> Date { Make.date(rows[Int(row)].start) }
  override func endDate(at row: Int32) -> Date { Make.date(rows[Int(row)].end) }
  override func value(at row: Int32) -> Double { rows[Int(row)].value }
  override func unit(at row: Int32) -> HKUnit { rows[Int(row)].unit }
  override func sourceRevision(at row: Int32) -> HKSourceRevision { rows[Int(row)].revision }
  override func device(at row: Int32) -> HKDevice? { rows[Int(row)].device }
  override func metadata(at row: Int32) -> [String: Any]? { rows[Int(row)].metadata }
  override func objects(at row: Int32) -> Set<HKSample> { rows[Int(row)].objects }
  override func isCorrelated(at row: Int32) -> Bool { rows[Int(row)].isCorrelated }
}
