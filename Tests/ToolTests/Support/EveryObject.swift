import Foundation
import HealthStore
import Testing
import UniformTypeIdentifiers

extension TestFolder {
  /// Makes a store with objects of every family and two subjects, including series, attachments,
  /// sync identifiers, metadata of every class and a type of a later version.
  func makeStoreOfEverything() async throws -> String {
    let path = store()
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/objects/v1/store")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
    let later = try write(
      "later.xml",
      """
      <HealthData locale="en_GB">
       <ExportDate value="2024-03-01 10:00:00 +0100"/>
       <Record type="HKQuantityTypeIdentifierMoonlight" sourceName="W" unit="m" \
      startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:00:00 +0000" value="0.1"/>
      </HealthData>
      """)
    let imported = try ToolProcess.run(["import", later, "--store", path, "--subject", Self.odd])
    #expect(imported.status == 0)
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    try await save(into: database.store(subject: Self.odd))
    try database.close()
    return path
  }

  /// A subject that every format has to quote.
  static let odd = "o'dd \"a\", b=c\\\n;ü"

  private func save(into health: HKHealthStore) async throws {
    let start = Date(timeIntervalSinceReferenceDate: 730_000_000.0625)
    let device = HKDevice(
      name: "Scale, \"large\"\\", manufacturer: "M", model: "m", hardwareVersion: "1",
      firmwareVersion: "2", softwareVersion: "3", localIdentifier: "l", udiDeviceIdentifier: "u")
    let metadata: [String: Any] = [
      "text": "a\"\\\u{1}\n,'ü", "yes": true, "one": 1, "half": 0.30000000000000004,
      HKMetadataKeyWasUserEntered: false,
      HKMetadataKeyWeatherTemperature: HKQuantity(unit: .degreeFahrenheit(), doubleValue: 61.1),
    ]
    func mass(_ value: Double, _ metadata: [String: Any]) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .pound(), doubleValue: value),
        start: start, end: start + 0.1, device: device, metadata: metadata)
    }
    let weight = mass(160.30000000000001, metadata)
    try await health.save(weight)
    let versioned = { (version: Int) -> [String: Any] in
      [HKMetadataKeySyncIdentifier: "weight", HKMetadataKeySyncVersion: version]
    }
    try await health.save(mass(161, versioned(1)))
    try await health.save(mass(162, versioned(2)))
    let series = HKQuantitySeriesSampleBuilder(
      healthStore: health, quantityType: HKQuantityType(.stepCount), startDate: start, device: nil)
    for index in 0..<3 {
      try series.insert(
        HKQuantity(unit: .count(), doubleValue: Double(index + 1)), at: start + Double(index))
    }
    _ = try await series.finishSeries(metadata: nil, endDate: start + 10)
    let file = try write("attached.txt", "attached")
    _ = try await HKAttachmentStore(healthStore: health).addAttachment(
      to: weight, name: "a.txt", contentType: .plainText, url: URL(fileURLWithPath: file))
  }
}
