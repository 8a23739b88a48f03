import AppleHealthExport
import Foundation
import HealthStore
import Testing

@Suite struct ImporterTests {
  private func importing(
    _ body: String, into store: HKHealthStore
  ) throws -> ImportSummary {
    try ExportImporter(into: store).run(ExportReader(MemoryInput(export(body))))
  }

  private func quantities(
    _ identifier: HKQuantityTypeIdentifier, in store: HKHealthStore
  ) async throws -> [HKQuantitySample] {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(identifier))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  private func categories(
    _ identifier: HKCategoryTypeIdentifier, in store: HKHealthStore
  ) async throws -> [HKCategorySample] {
    try await HKSampleQueryDescriptor(
      predicates: [.categorySample(type: HKCategoryType(identifier))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  @Test func `A record keeps its value, unit, dates, source and device`() async throws {
    let store = HKHealthStore.inMemory()
    let body = """
      <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Ada’s Scales" \
      sourceVersion="2.1" unit="lb" device="&lt;&lt;HKDevice: 0x2829&gt;, name:Scales, \
      manufacturer:Acme, hardware:S1&gt;" creationDate="2024-02-01 09:00:00 +0100" \
      startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:00:01 +0100" value="165.35"/>
      """
    let summary = try importing(body, into: store)
    #expect(summary.added == 1)
    let sample = try #require(await quantities(.bodyMass, in: store).first)
    #expect(sample.quantity.doubleValue(for: .pound()) == 165.35)
    #expect(sample.quantity.description == "165.35 lb")
    #expect(sample.startDate.timeIntervalSince1970 == 1_706_770_800)
    #expect(sample.endDate.timeIntervalSince(sample.startDate) == 1)
    #expect(sample.sourceRevision.source.name == "Ada’s Scales")
    #expect(sample.sourceRevision.source.bundleIdentifier == "Ada’s Scales")
    #expect(sample.sourceRevision.version == "2.1")
    #expect(sample.device?.name == "Scales")
    #expect(sample.device?.manufacturer == "Acme")
    #expect(sample.device?.hardwareVersion == "S1")
  }

  @Test func `Metadata has the type of its key, and is text if it cannot be converted`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let entries = [
      "HKWasUserEntered": "1", "HKMetadataKeyHeartRateMotionContext": "2",
      "HKWeatherTemperature": "59 degF", "HKTimeZone": "Europe/Paris", "own key": "7",
      "HKMetadataKeySyncVersion": "3", "HKMetadataKeySyncIdentifier": "abc",
      "HKWeatherHumidity": "damp",
    ]
    let children = entries.map { #"<MetadataEntry key="\#($0.key)" value="\#($0.value)"/>"# }
    let body = record().replacing("/>", with: ">") + children.joined() + "</Record>"
    let summary = try importing(body, into: store)
    #expect(summary.added == 1)
    #expect(summary.metadataKeptAsText == ["HKWeatherHumidity": 1])
    let sample = try #require(await quantities(.heartRate, in: store).first)
    let metadata = try #require(sample.metadata)
    #expect(metadata.count == entries.count)
    #expect(metadata[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(metadata[HKMetadataKeyHeartRateMotionContext] as? Int == 2)
    let temperature = metadata[HKMetadataKeyWeatherTemperature] as? HKQuantity
    #expect(temperature?.doubleValue(for: .degreeFahrenheit()) == 59)
    #expect(metadata[HKMetadataKeyTimeZone] as? String == "Europe/Paris")
    #expect(metadata["own key"] as? String == "7")
    #expect(metadata[HKMetadataKeySyncVersion] as? Int == 3)
    #expect(metadata[HKMetadataKeyWeatherHumidity] as? String == "damp")
  }

  @Test func `Names of category values, including old ones, become their numbers`() async throws {
    let store = HKHealthStore.inMemory()
    let names = ["InBed", "Asleep", "AsleepREM", "Unheard"]
    let body = names.enumerated().map { index, name in
      record(
        "HKCategoryTypeIdentifierSleepAnalysis", value: "HKCategoryValueSleepAnalysis\(name)",
        start: "2024-02-01 0\(index):00:00 +0000", extra: "")
    }
    let summary = try importing(
      body.joined()
        + record(
          "HKCategoryTypeIdentifierMindfulSession", value: "HKCategoryValueNotApplicable",
          extra: ""), into: store)
    #expect(try await categories(.sleepAnalysis, in: store).map(\.value) == [0, 1, 5, -1])
    #expect(try await categories(.mindfulSession, in: store).map(\.value) == [0])
    #expect(summary.unknownTypes["HKCategoryValueSleepAnalysisUnheard"]?.count == 1)
    #expect(summary.rejected == 0)
  }

  @Test func `Unreadable records are counted by reason, with the position of the first`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let type = "HKQuantityTypeIdentifierHeartRate"
    let body = [
      record(extra: #"unit="furlong""#), record(extra: #"unit="furlong""#),
      record(extra: #"unit="kg""#), record(extra: ""), record(value: "fast"),
      record(value: "nan"), record("HKCategoryTypeIdentifierNew", value: "", extra: ""),
      record("HKCorrelationTypeIdentifierFood"),
      record().replacing(#"endDate="2024"#, with: #"endDate="2023"#),
    ]
    let text = export(body.joined(separator: "\n"))
    let summary = try ExportImporter(into: store).run(ExportReader(MemoryInput(text)))
    #expect(summary.added == 0 || summary.types.keys.contains("HKCorrelationTypeIdentifierFood"))
    let furlong = try #require(summary.problems[.unusableUnit(type: type, unit: "furlong")])
    #expect(furlong.count == 2)
    let first = try #require(text.utf8.firstRange(of: "<Record ".utf8)).lowerBound
    #expect(Int(furlong.firstOffset) == text.utf8.distance(from: text.utf8.startIndex, to: first))
    #expect(summary.problems[.unusableUnit(type: type, unit: "kg")]?.count == 1)
    #expect(summary.problems[.unusableUnit(type: type, unit: "")]?.count == 1)
    #expect(summary.problems[.invalidNumber(type: type)]?.count == 2)
    let value = ImportProblem.unknownValue(type: "HKCategoryTypeIdentifierNew", value: "")
    #expect(summary.problems[value]?.count == 1)
    #expect(summary.problems.keys.count { if case .unstorable = $0 { true } else { false } } == 1)
    #expect(try await quantities(.heartRate, in: store).isEmpty)
  }

  @Test func `A record of a correlation's type is not a quantity`() throws {
    let store = HKHealthStore.inMemory()
    let summary = try importing(record("HKCorrelationTypeIdentifierFood"), into: store)
    #expect(summary.added == 0)
    #expect(summary.problems[.unknownType("HKCorrelationTypeIdentifierFood")]?.count == 1)
  }

  @Test func `Quantities of unknown types are stored and named, and recognised at the next import`()
    throws
  {
    let store = HKHealthStore.inMemory()
    let body = record("HKDataTypeSleepDurationGoal", value: "8", extra: #"unit="hr""#)
    let first = try importing(body, into: store)
    #expect(first.added == 1)
    #expect(first.unknownTypes["HKDataTypeSleepDurationGoal"]?.count == 1)
    #expect(first.rejected == 0)
    #expect(try importing(body, into: store).known == 1)
  }

  @Test func `Unsupported records are counted and named`() throws {
    let store = HKHealthStore.inMemory()
    let body = """
      <Me HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None" \
      HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
      <ActivitySummary/><ActivitySummary dateComponents="2024-02-02" \
      activeEnergyBurnedUnit="km"/>
      """
    let summary = try importing(body, into: store)
    #expect(summary.added == 0)
    #expect(summary.unrepresented.mapValues(\.count) == ["characteristics": 1])
    #expect(summary.reading.problems == [.missingAttribute: 1])
    #expect(summary.problems[.unusableUnit(type: "HKActivitySummary", unit: "km")]?.count == 1)
  }

  @Test func `Activity summaries have the days and values of the export`() async throws {
    let store = HKHealthStore.inMemory()
    let body = """
      <ActivitySummary dateComponents="2024-02-28" activeEnergyBurned="2000" \
      activeEnergyBurnedGoal="1800" activeEnergyBurnedUnit="kJ" appleMoveMinutes="70" \
      appleExerciseTime="31" appleExerciseTimeGoal="30" appleStandHours="11" \
      appleStandHoursGoal="12"/>
      <ActivitySummary dateComponents="2024-02-29" activeEnergyBurned="1"/>
      <ActivitySummary dateComponents="2024-02-29" activeEnergyBurned="410.5"/>
      """
    #expect(try importing(body, into: store).activitySummaries == 2)
    #expect(try importing(body, into: store).unrepresented.isEmpty)
    let found = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
    try #require(found.count == 2)
    #expect(found[0].activeEnergyBurned == HKQuantity(unit: .joule(), doubleValue: 2e6))
    #expect(found[0].activeEnergyBurnedGoal == HKQuantity(unit: .joule(), doubleValue: 1.8e6))
    #expect(found[0].appleMoveTime.doubleValue(for: .minute()) == 70)
    #expect(found[0].appleExerciseTime.doubleValue(for: .minute()) == 31)
    #expect(found[0].exerciseTimeGoal?.doubleValue(for: .minute()) == 30)
    #expect(found[0].appleStandHours.doubleValue(for: .count()) == 11)
    #expect(found[0].standHoursGoal?.doubleValue(for: .count()) == 12)
    #expect(found[1].activeEnergyBurned.doubleValue(for: .kilocalorie()) == 410.5)
    #expect(found[1].dateComponents(for: Calendar(identifier: .gregorian)).day == 29)
  }

  @Test func `Importing again adds nothing, and a later export adds only new samples`() async throws
  {
    let store = HKHealthStore.inMemory()
    let days = (1...9).map { record(value: "6\($0)", start: "2024-02-0\($0) 08:00:00 +0100") }
    // An exact duplicate is a record of its own.
    let body = (days + [days[0]]).joined(separator: "\n")
    #expect(try importing(body, into: store).added == 10)
    let second = try importing(body, into: store)
    #expect(second.added == 0)
    #expect(second.known == 10)
    let later = try importing(body + record(value: "70"), into: store)
    #expect(later.added == 1)
    #expect(later.known == 10)
    #expect(try await quantities(.heartRate, in: store).count == 11)
  }

  @Test func `More samples than fit in a batch are all saved once`() async throws {
    let store = HKHealthStore.inMemory()
    let body = (0..<10_000).map { record(value: "\($0)", extra: #"unit="count/min""#) }
    #expect(try importing(body.joined(separator: "\n"), into: store).added == 10_000)
    let values = try await quantities(.heartRate, in: store).map {
      Int($0.quantity.doubleValue(for: HKUnit(from: "count/min")))
    }
    #expect(values.sorted() == Array(0..<10_000))
  }

  @Test func `Equal records of two subjects are two samples`() async throws {
    let folder = try TemporaryFolder()
    let directory = URL(fileURLWithPath: folder.path + "/store")
    let ada = try HKHealthStore(directory: directory, subject: "ada")
    let bob = try HKHealthStore(directory: directory, subject: "bob")
    #expect(try importing(record(), into: ada).added == 1)
    #expect(try importing(record(), into: bob).added == 1)
    #expect(try importing(record(), into: bob).known == 1)
    let first = try #require(await quantities(.heartRate, in: ada).first)
    let second = try #require(await quantities(.heartRate, in: bob).first)
    #expect(first.uuid != second.uuid)
    #expect(first.quantity == second.quantity)
    try await ada.close()
  }

  @Test func `Importing again restores a sample that was deleted from the store`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    _ = try importing(record(), into: store)
    try await store.delete(try await quantities(.heartRate, in: store))
    #expect(try importing(record(), into: store).added == 1)
  }
}
