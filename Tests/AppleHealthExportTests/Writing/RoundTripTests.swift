import Foundation
import HealthStore
import SampleLogSimulation
import Testing
import UniformTypeIdentifiers

@testable import AppleHealthExport

@Suite struct RoundTripTests {
  private let folder: TemporaryFolder
  private static let date = Date(timeIntervalSinceReferenceDate: 0)

  init() throws { folder = try TemporaryFolder() }

  private func writing(
    _ store: HKHealthStore, _ name: String, isPlain: Bool = false
  ) throws -> WritingSummary {
    try ExportWriter(from: store, options: .init(date: Self.date, isPlain: isPlain))
      .write(to: folder.path + "/" + name)
  }

  private func importing(_ name: String, into store: HKHealthStore) throws -> ImportSummary {
    let (document, files) = try ExportSource.contents(of: folder.path + "/" + name)
    return try ExportImporter(into: store).run(ExportReader(document), files: files)
  }

  @Test(arguments: 1...UInt64(Trials.count(12, quick: 2)))
  func `Importing an export gives the same store, and exporting again the same bytes`(
    seed: UInt64
  ) async throws {
    let (store, copy) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    var random = RandomObjects(seed: seed)
    try await random.fill(store, rounds: 3)
    let before = try StoreContents(store)
    #expect(before.samples.count > 40)
    #expect(before.children.count > 20)
    let written = try writing(store, "one")
    #expect(written.written == before.samples.count)
    #expect(written.unrepresented.isEmpty)
    #expect(written.losses.isEmpty)
    let summary = try importing("one", into: copy)
    #expect(summary.problems.isEmpty)
    #expect(summary.reading.problems.isEmpty)
    #expect(summary.files.isEmpty)
    #expect(summary.added == before.samples.count)
    let after = try StoreContents(copy)
    #expect(after == before)
    #expect(after.bits == before.bits)
    _ = try writing(copy, "two")
    #expect(try contents(of: folder.path + "/one") == contents(of: folder.path + "/two"))
    #expect(try importing("one", into: copy).added == 0, "importing again adds nothing")
  }

  @Test(arguments: 1...UInt64(Trials.count(4, quick: 2)))
  func `A plain export is read whole, names its losses, and gives the same plain export again`(
    seed: UInt64
  ) async throws {
    let (store, copy) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    var random = RandomObjects(seed: seed)
    try await random.fill(store, rounds: 3)
    let count = try StoreContents(store).samples.count
    let written = try writing(store, "plain", isPlain: true)
    #expect(written.written + written.left == count)
    let types = [
      HKObjectType.stateOfMindType(), HKScoredAssessmentType(.GAD7),
      HKObjectType.medicationDoseEventType(),
    ]
    for type in types { #expect((written.unrepresented[type.identifier] ?? 0) > 0, "\(type)") }
    let losses: [ExportLoss] = [
      .identifier, .exactDates, .sourceDetails, .replacement, .characters, .links, .provenance,
      .seriesValues, .attachments, .settings,
    ]
    for loss in losses { #expect((written.losses[loss] ?? 0) > 0, "\(loss)") }
    let document = try #require(try contents(of: folder.path + "/plain")["export.xml"])
    #expect(String(decoding: document, as: UTF8.self).contains("store:") == false)
    let summary = try importing("plain", into: copy)
    #expect(summary.reading.problems.isEmpty)
    // A record whose resource has an unknown FHIR type is skipped along with its file.
    #expect(summary.files.values.allSatisfy { $0 == .unrepresented })
    #expect(summary.files.count <= summary.rejected)
    #expect(summary.added + summary.rejected == written.written)
    #expect(try importing("plain", into: copy).added == 0)
  }

  @Test func `A plain export of an import has the content of the first export`() throws {
    let (store, copy) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    let body = """
      <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeABNegative" \
      HKCharacteristicTypeIdentifierDateOfBirth="1815-12-10"/>
      <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" \
      unit="ms" startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:01:00 +0000" \
      value="50.25"><HeartRateVariabilityMetadataList>\
      <InstantaneousBeatsPerMinute bpm="60" time="8:00:02.00"/>\
      <InstantaneousBeatsPerMinute bpm="61" time="8:00:02.98"/>\
      <InstantaneousBeatsPerMinute bpm="55" time="8:00:21.00"/>\
      </HeartRateVariabilityMetadataList></Record>
      <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="1.5" \
      durationUnit="min" sourceName="Watch" startDate="2024-02-01 09:00:00 +0000" \
      endDate="2024-02-01 09:02:00 +0000"><MetadataEntry key="HKIndoorWorkout" value="1"/>\
      <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-02-01 09:00:30 +0000"/>\
      <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="80" minimum="60" \
      maximum="100" unit="count/min" startDate="2024-02-01 09:00:00 +0000" \
      endDate="2024-02-01 09:02:00 +0000"/></Workout>
      <ActivitySummary dateComponents="2024-02-01" activeEnergyBurned="410.5" \
      activeEnergyBurnedUnit="kcal"/>
      """
    _ = try ExportImporter(into: store).run(ExportReader(MemoryInput(export(body))))
    _ = try writing(store, "one", isPlain: true)
    _ = try importing("one", into: copy)
    _ = try writing(copy, "two", isPlain: true)
    let (one, two) = (
      try contents(of: folder.path + "/one"), try contents(of: folder.path + "/two")
    )
    #expect(one == two)
    let text = String(decoding: try #require(one["export.xml"]), as: UTF8.self)
    for part in [
      "bpm=\"60\" time=\"08:00:02.00\"", "bpm=\"61\" time=\"08:00:02.98\"",
      "bpm=\"55\" time=\"08:00:21.00\"", "HKWorkoutActivityTypeYoga\" duration=\"1.5\"",
      "HKWorkoutEventTypePause\" date=\"2024-02-01 09:00:30 +0000\"",
      "average=\"80\" minimum=\"60\" maximum=\"100\" unit=\"count/min\"",
      "HKBloodTypeABNegative", "1815-12-10", "activeEnergyBurned=\"410.5\"",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test(arguments: ["activity-with-statistics", "nested-record"], [true, false])
  func `Events, statistics and efforts of activities survive a round trip`(
    name: String, isPlain: Bool
  ) async throws {
    let (store, copy) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    let first = try store.importing(Cases.text(name + "/export.xml"))
    _ = try writing(store, "one", isPlain: isPlain)
    let summary = try importing("one", into: copy)
    #expect(summary.added == first.added && summary.problems.isEmpty)
    #expect(summary.reading.problems.isEmpty && summary.reading.mismatchedTags == 0)
    #expect(try importing("one", into: copy).added == 0)
    let (before, after) = (try StoreContents(store), try StoreContents(copy))
    #expect(after.samples == before.samples)
    #expect(after.children == before.children)
    #expect(try importing("one", into: store).added == 0)
    _ = try writing(copy, "two", isPlain: isPlain)
    #expect(try contents(of: folder.path + "/one") == contents(of: folder.path + "/two"))
  }

  @Test(arguments: [true, false])
  func `Unknown categories survive a round trip`(isPlain: Bool) throws {
    let (store, copy) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    func category(_ type: String, _ value: String, hour: Int) -> String {
      record(
        "HKCategoryTypeIdentifier" + type, value: value,
        start: "2024-02-01 0\(hour):00:00 +0000", extra: "")
    }
    let body = [
      category("SleepAnalysis", "HKCategoryValueSleepAnalysisDreaming", hour: 1),
      category("SleepAnalysis", "77", hour: 2),
      category("OfTomorrow", "HKCategoryValueOfTomorrowGood", hour: 3),
      category("OfTomorrow", "3", hour: 4),
      category("OfTomorrow", "HKCategoryValueNotApplicable", hour: 5),
    ]
    let first = try store.importing(export(body.joined()))
    #expect(first.added == 5 && first.rejected == 0)
    #expect(first.unknownTypes.values.reduce(0) { $0 + $1.count } == 5)
    let again = try store.importing(export(body.joined()))
    #expect(again.added == 0)
    _ = try writing(store, "one", isPlain: isPlain)
    #expect(try importing("one", into: copy).added == 5)
    #expect(try StoreContents(copy).samples == StoreContents(store).samples)
  }

  @Test func `One subject's data is exported, and imported as another's`() async throws {
    let database = try HealthDatabase.inMemory()
    let (ada, bob) = (database.store(subject: "ada"), database.store(subject: "bob"))
    let type = HKQuantityType(.stepCount)
    func steps(_ count: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: type, quantity: HKQuantity(unit: .count(), doubleValue: count), start: Self.date,
        end: Self.date)
    }
    try await ada.save(steps(1))
    try await bob.save(steps(2))
    #expect(try writing(ada, "ada").written == 1)
    let copy = try HealthDatabase.inMemory().store(subject: "carol")
    #expect(try importing("ada", into: copy).added == 1)
    #expect(try StoreContents(copy) == StoreContents(ada))
  }

  @Test func `An attachment survives with its object, even without a payload`()
    async throws
  {
    let (store, copy) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
    let sample = HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
      start: Self.date, end: Self.date)
    try await store.save(sample)
    let content = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let file = URL(filePath: folder.path + "/photo")
    try content.write(to: file)
    let attachments = HKAttachmentStore(healthStore: store)
    let added = try await attachments.addAttachment(
      to: sample, name: "photo", contentType: .jpeg, url: file)
    _ = try writing(store, "one")
    #expect(try importing("one", into: copy).problems.isEmpty)
    let copies = HKAttachmentStore(healthStore: copy)
    #expect(try await copies.attachments(for: sample) == [added])
    #expect(try await copies.dataReader(for: added).data == content)
  }
}
