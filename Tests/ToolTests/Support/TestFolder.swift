import Foundation
import HealthStore

/// A folder that is removed with the value.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/tool-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path for a store with the given name.
  func store(_ name: String = "store") -> String { path + "/" + name }

  /// The paths of all files in the folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Makes a store with the given heart rates, a minute apart from 2024-02-01 08:00 UTC.
  func makeStore(
    _ name: String = "store", subject: String = "", heartRates values: [Double]
  ) async throws -> String {
    let path = store(name)
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    try await database.store(subject: subject).save(
      values.enumerated().map { index, value in heartRate(value, index) })
    try database.close()
    return path
  }
}

/// A heart rate `minute` minutes after 2024-02-01T08:00:00Z.
func heartRate(_ value: Double, _ minute: Int) -> HKQuantitySample {
  let date = Date(timeIntervalSince1970: 1_706_774_400 + Double(minute) * 60)
  return HKQuantitySample(
    type: HKQuantityType(.heartRate),
    quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: value), start: date,
    end: date, device: nil,
    metadata: ["note": "a \"quoted\", note", HKMetadataKeyWasUserEntered: true])
}

/// An export with two heart rates, one of them twice, a night, a blood pressure and a workout.
let exportText = """
  <?xml version="1.0" encoding="UTF-8"?>
  <HealthData locale="en_GB">
   <ExportDate value="2024-03-01 10:00:00 +0100"/>
   <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="10.1" \
  unit="count/min" startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:00:00 +0000" \
  value="62"/>
   <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="10.1" \
  unit="count/min" startDate="2024-02-01 08:05:00 +0000" endDate="2024-02-01 08:05:00 +0000" \
  value="64"/>
   <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="10.1" \
  unit="count/min" startDate="2024-02-01 08:05:00 +0000" endDate="2024-02-01 08:05:00 +0000" \
  value="64"/>
   <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
  startDate="2024-02-01 00:00:00 +0000" endDate="2024-02-01 01:00:00 +0000" \
  value="HKCategoryValueSleepAnalysisAsleepDeep"/>
   <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
  startDate="2024-02-01 01:00:00 +0000" endDate="2024-02-01 02:00:00 +0000" \
  value=""/>
   <ActivitySummary activeEnergyBurned="1"/>
  </HealthData>
  """

/// The same without the two unsupported elements, so that an import ends with status 0.
let soundExportText = exportText.replacing(
  /<Record [^>]*value=""\/>\s*<ActivitySummary [^>]*>/, with: "")
