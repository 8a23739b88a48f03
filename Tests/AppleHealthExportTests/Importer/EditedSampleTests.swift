import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct EditedSampleTests {
  private let store = HKHealthStore.inMemory()
  private let energy = HKQuantityTypeIdentifier.dietaryEnergyConsumed

  private func values() async throws -> [Double] {
    try await store.quantities(energy).map { $0.quantity.doubleValue(for: .kilocalorie()) }
  }

  @Test func `A later version of a sample replaces it`() async throws {
    let (june, july) = (
      try Cases.text("edited-sample/1-june.xml"), try Cases.text("edited-sample/2-july.xml")
    )
    #expect(try store.importing(june).added == 1)
    #expect(try store.importing(july).added == 1)
    #expect(try await values() == [650])
    let again = try store.importing(june)
    #expect((again.added, again.known) == (0, 1), "the older version is not restored")
    #expect(try store.importing(july).added == 0)
    #expect(try await values() == [650])
  }

  @Test func `An earlier version that arrives later is skipped`() async throws {
    #expect(try store.importing(Cases.text("edited-sample/2-july.xml")).added == 1)
    let june = try store.importing(Cases.text("edited-sample/1-june.xml"))
    #expect((june.added, june.known) == (0, 1))
    #expect(try await values() == [650])
  }

  @Test func `The later of two versions in one file is kept`() async throws {
    let body = [1, 3, 2].map { version in
      """
      <Record type="\(energy.rawValue)" sourceName="Food App" unit="kcal" \
      startDate="2026-05-02 12:00:00 +0000" endDate="2026-05-02 12:00:00 +0000" \
      value="\(version)"><MetadataEntry key="HKMetadataKeySyncIdentifier" value="a"/>\
      <MetadataEntry key="HKMetadataKeySyncVersion" value="\(version)"/></Record>
      """
    }
    try store.importing(export(body.joined()))
    #expect(try await values() == [3])
  }

  @Test func `A sample of another source with the same sync identifier is kept`() async throws {
    let june = try Cases.text("edited-sample/1-june.xml")
    try store.importing(june)
    try store.importing(
      Cases.text("edited-sample/2-july.xml").replacing("\"Food App\"", with: "\"Other App\""))
    #expect(try await values().sorted() == [500, 650])
  }

  @Test func `Importing and saving replace by the same rule`() async throws {
    try store.importing(Cases.text("edited-sample/1-june.xml"))
    let old = try #require(try await store.quantities(energy).first)
    let sample = try HKQuantitySample.validated(
      type: old.quantityType, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 700),
      start: old.startDate, end: old.endDate,
      metadata: [HKMetadataKeySyncIdentifier: "meal-17", HKMetadataKeySyncVersion: 3],
      sourceRevision: old.sourceRevision)
    try await store.save(sample)
    #expect(try await values() == [700])
    try store.importing(Cases.text("edited-sample/2-july.xml"))
    #expect(try await values() == [700])
  }

  private func member(_ version: Int) -> String {
    """
    <Record type="\(energy.rawValue)" sourceName="Food App" unit="kcal" \
    startDate="2026-05-02 12:00:00 +0000" endDate="2026-05-02 12:00:00 +0000" \
    value="\(version)"><MetadataEntry key="HKMetadataKeySyncIdentifier" value="a"/>\
    <MetadataEntry key="HKMetadataKeySyncVersion" value="\(version)"/></Record>
    """
  }

  private func meal(_ version: Int) -> String {
    """
    <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Food App" \
    startDate="2026-05-02 12:00:00 +0000" endDate="2026-05-02 12:00:00 +0000">\
    \(member(version))</Correlation>
    """
  }

  @Test(arguments: [[1, 2], [2, 1], [1, 2, 3], [3, 1, 2]], [true, false])
  func `A new version of a member remains in its correlation`(
    versions: [Int], isWhole: Bool
  ) async throws {
    for (index, version) in versions.enumerated() {
      let isMeal = isWhole || index == 0
      try store.importing(export(member(version) + (isMeal ? meal(version) : "")))
    }
    let type = try #require(HKObjectType.correlationType(forIdentifier: .food))
    let foods = try await HKSampleQueryDescriptor(
      predicates: [.correlation(type: type)], sortDescriptors: []
    ).result(for: store)
    #expect(foods.count == 1)
    let members = foods.first?.objects.compactMap { $0 as? HKQuantitySample }
    let newest = Double(try #require(versions.max()))
    #expect(members?.map { $0.quantity.doubleValue(for: .kilocalorie()) } == [newest])
    let folder = try TemporaryFolder()
    _ = try ExportWriter(from: store, options: .init(isPlain: true)).write(
      to: folder.path + "/plain")
    let other = HKHealthStore.inMemory()
    try other.importing(path: folder.path + "/plain")
    let objects = try StoredObjects(other)
    try objects.forEach(type.identifier) { food in
      let members = try objects.members(of: food)
      #expect(members.count == 1)
    }
  }
}
