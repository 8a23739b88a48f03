import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct StoredItemTests {
  private let store = HKHealthStore.inMemory()
  private static let uuid = "61FE563D-D89D-8B07-BA09-213EB3F5AD04"

  private func importing(_ body: String, version: String = "1") throws -> ImportSummary {
    let text = export(body).replacing(
      "<HealthData", with: "<HealthData xmlns:store=\"urn:x\" store:version=\"\(version)\"")
    return try ExportImporter(into: store).run(ExportReader(MemoryInput(text)))
  }

  private static func record(_ extra: String, type: String = "HKQuantityTypeIdentifierStepCount")
    -> String
  {
    """
    <Record type="\(type)" sourceName="Watch" unit="count" value="7" \
    startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:00:00 +0000" \
    store:uuid="\(uuid)" \(extra)><MetadataEntry key="a" value="b"/></Record>
    """
  }

  @Test func `This library's attributes take precedence, and Apple's are the fallback`() throws {
    #expect(try importing(Self.record("store:start=\"1.5\"")).added == 1)
    let sample = try #require(try StoreContents(store).samples.first)
    #expect(sample.uuid.uuidString == Self.uuid)
    #expect(sample.start == 1.5)
    #expect(sample.value == 7)
    #expect(sample.unit == "count")
    #expect(sample.extras.isEmpty, "metadata is in the extras")
  }

  @Test(arguments: [
    "store:extras=\"AgE\"", "store:extras=\"AgEEAwIBIA==\"", "store:source=\"!\"",
    "store:source=\"AAAA\"", "store:device=\"AAAA\"", "store:unit=\"furlong\"",
    "store:value=\"inf\"", "store:value=\"seven\"", "store:start=\"nan\"",
    "store:start=\"9e99\"", "store:type=\"%zz\"", "store:type=\"\"", "store:type=\"%1Fa%1Fb\"",
    "store:type=\"HKWorkoutTypeIdentifier\"", "store:role=\"points\"",
    "store:type=\"HKCategoryTypeIdentifierSleepAnalysis\" store:value=\"1e300\"",
  ])
  func `An invalid item is counted, and the following ones are imported`(
    attributes: String
  ) throws {
    let summary = try importing(
      Self.record(attributes) + AppleHealthExportTests.record())
    #expect(summary.added == 1)
    #expect(summary.broken?.count == 1)
  }

  @Test func `A row of one object is refused after another object`() throws {
    let row = """
      <store:Row store:uuid="61FE563D-D89D-8B07-BA09-213EB3F5AD05" store:start="0.0" \
      store:end="0.0" store:type="HKQuantityTypeIdentifierStepCount" store:role="points"/>
      """
    let summary = try importing(Self.record("") + row)
    #expect(summary.added == 1)
    #expect(summary.broken?.count == 1)
  }

  @Test func `Unknown settings are counted`() throws {
    let body = [
      #"<store:Setting name="unit/x" value="AQ=="/>"#,
      #"<store:Setting name="lineage" value="AQ=="/>"#,
      #"<store:Setting name="unit/y" value="Ag=="/>"#, #"<store:Setting name="unit/z"/>"#,
      #"<store:Setting type="a" name="activity" value="AQ=="/>"#,
    ].joined()
    let summary = try importing(body)
    #expect(summary.settings == 1)
    #expect(summary.broken?.count == 4)
  }

  @Test func `An export of a later version is refused`() {
    #expect(throws: ExportError.unsupportedVersion("2")) { try importing("", version: "2") }
  }

  @Test func `Without a version the attributes are metadata, like any unknown attribute`()
    throws
  {
    let text = export(Self.record(""))
    let summary = try ExportImporter(into: store).run(ExportReader(MemoryInput(text)))
    #expect(summary.added == 1)
    #expect(try StoreContents(store).samples.first?.uuid.uuidString != Self.uuid)
  }
}
