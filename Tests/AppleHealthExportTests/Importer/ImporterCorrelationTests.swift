import AppleHealthExport
import Foundation
import HealthStore
import Testing

@Suite struct ImporterCorrelationTests {
  private let systolic = record(
    "HKQuantityTypeIdentifierBloodPressureSystolic", value: "120", extra: #"unit="mmHg""#)
  private let diastolic = record(
    "HKQuantityTypeIdentifierBloodPressureDiastolic", value: "80", extra: #"unit="mmHg""#)

  private func correlation(_ members: String...) -> String {
    #"<Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" "#
      + #"startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:00:00 +0100">"#
      + #"<MetadataEntry key="HKWasUserEntered" value="1"/>"#
      + members.joined() + "</Correlation>"
  }

  private func importing(
    _ body: String..., into store: HKHealthStore
  ) throws -> ImportSummary {
    try ExportImporter(into: store).run(ExportReader(MemoryInput(export(body.joined()))))
  }

  private func pressures(_ store: HKHealthStore) async throws -> [HKCorrelation] {
    let type = try #require(HKObjectType.correlationType(forIdentifier: .bloodPressure))
    return try await HKSampleQueryDescriptor(
      predicates: [.correlation(type: type)], sortDescriptors: []
    ).result(for: store)
  }

  private func systolics(
    _ store: HKHealthStore, _ predicate: NSPredicate? = nil
  ) async throws -> [HKQuantitySample] {
    try await HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: HKQuantityType(.bloodPressureSystolic), predicate: predicate)
      ], sortDescriptors: []
    ).result(for: store)
  }

  @Test func `A correlation contains its members' top-level copies from before or after it`()
    async throws
  {
    for isBefore in [true, false] {
      let store = HKHealthStore.inMemory()
      let whole = correlation(systolic, diastolic)
      let summary = try importing(
        isBefore ? systolic + diastolic + whole : whole + systolic + diastolic, into: store)
      #expect(summary.added == 3)
      #expect(summary.known == 0)
      let pressure = try #require(await pressures(store).first)
      #expect(pressure.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
      #expect(pressure.sourceRevision.source.name == "Cuff")
      let values = pressure.objects.compactMap { $0 as? HKQuantitySample }
        .map { $0.quantity.doubleValue(for: .millimeterOfMercury()) }
      #expect(values.sorted() == [80, 120])
      let alone = try await systolics(store)
      #expect(alone.count == 1)
      #expect(pressure.objects.contains(alone[0]))
    }
  }

  @Test func `Only members know that a correlation contains them`() async throws {
    let store = HKHealthStore.inMemory()
    let other = systolic.replacing("120", with: "130")
    _ = try importing(systolic, other, diastolic, correlation(systolic, diastolic), into: store)
    let free = try await systolics(store, HKQuery.predicateForObjectsWithNoCorrelation())
    #expect(free.map { $0.quantity.doubleValue(for: .millimeterOfMercury()) } == [130])
  }

  @Test func `Importing correlations again adds nothing`() async throws {
    let store = HKHealthStore.inMemory()
    let body = [systolic, diastolic, correlation(systolic, diastolic)].joined()
    #expect(try importing(body, into: store).added == 3)
    let second = try importing(body, into: store)
    #expect(second.added == 0)
    #expect(second.known == 3)
    #expect(try await pressures(store).count == 1)
  }

  @Test
  func `An unsupported member is missing, and its top-level copy is counted`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let broken = diastolic.replacing("mmHg", with: "furlong")
    let summary = try importing(systolic, broken, correlation(systolic, broken), into: store)
    #expect(summary.added == 2)
    let type = "HKCorrelationTypeIdentifierBloodPressure"
    #expect(summary.problems[.missingMember(type: type)]?.count == 1)
    #expect(
      summary.problems[
        .unusableUnit(type: "HKQuantityTypeIdentifierBloodPressureDiastolic", unit: "furlong")]?
        .count == 1)
    #expect(try await pressures(store).first?.objects.count == 1)
  }

  @Test func `A correlation of an unknown type is skipped, and its members are imported`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let unknown = correlation(systolic, diastolic)
      .replacing("IdentifierBloodPressure\"", with: "IdentifierNew\"")
    let summary = try importing(systolic, diastolic, unknown, into: store)
    #expect(summary.added == 2)
    #expect(summary.problems[.unknownType("HKCorrelationTypeIdentifierNew")]?.count == 1)
  }
}
