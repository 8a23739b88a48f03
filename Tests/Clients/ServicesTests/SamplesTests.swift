import HealthKit
import HealthKitTesting
import Testing

@testable import Services

@Suite struct SamplesTests {
  private let health: TestHealthData

  init() throws { health = try TestHealthData() }

  @Test func `the analysis of a night skips samples entered by hand`() async throws {
    let store = health.store
    let analyzer = SleepAnalyzer(store: store)
    let evening = noon + 10 * 3_600
    func hours(_ start: Double, _ end: Double) -> DateInterval {
      DateInterval(start: evening + start * 3_600, end: evening + end * 3_600)
    }
    try await analyzer.record(.inBed, hours(0, 8))
    try await analyzer.record(.asleepCore, hours(0, 3))
    try await analyzer.record(.asleepDeep, hours(3, 4))
    try await analyzer.record(.asleepREM, hours(4, 6))
    try await analyzer.record(.awake, hours(6, 6.5))
    try await store.save(
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis),
        value: HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue, start: evening,
        end: evening + 3_600, metadata: [HKMetadataKeyWasUserEntered: true]))
    let night = try await analyzer.night(hours(-1, 9))
    #expect(
      night
        == SleepNight(
          inBed: 8 * 3_600, core: 3 * 3_600, deep: 3_600, rem: 2 * 3_600, awake: 1_800))
    #expect(night.asleep == 6 * 3_600)
    let asleep = try await analyzer.asleepOnly(limit: 2)
    #expect(asleep.map(\.value) == [5, 4])
    #expect(analyzer.legacyAsleepValue == 1)
  }

  @Test func `glucose values replace their earlier versions and are removed by name`() async throws
  {
    let store = try await health.app(sharing: [HKQuantityType(.bloodGlucose)])
    let glucose = GlucoseStore(healthStore: store)
    func add(_ values: [Glucose]) async -> Error? {
      await withCheckedContinuation { continuation in
        glucose.add(values) { continuation.resume(returning: $0) }
      }
    }
    func values() async throws -> [Glucose] {
      try await withCheckedThrowingContinuation { continuation in
        glucose.values(start: noon, end: nil) { continuation.resume(with: $0) }
      }
    }
    let first = Glucose(identifier: "a", version: 1, date: noon, millimoles: 5.5)
    let other = Glucose(
      identifier: "b", version: 1, date: noon + 300, millimoles: 6.5, isDisplayOnly: true)
    #expect(await add([first, other]) == nil)
    let corrected = Glucose(identifier: "a", version: 2, date: noon, millimoles: 5.75)
    #expect(await add([corrected]) == nil)
    #expect(try await values() == [corrected, other])
    let extremes = try #require(try await glucose.extremes())
    #expect(extremes.lowest.doubleValue(for: .millimolesPerLiter) == 5.75)
    #expect(extremes.highest > extremes.lowest)
    #expect(HKUnit.millimolesPerLiter.localizedShortName == "mmol/L")
    #expect(HKUnit.milligramsPerDeciliter.localizedShortName == "mg/dL")
    let removed = await withCheckedContinuation { continuation in
      glucose.remove(["a", "c"]) { count, _ in continuation.resume(returning: count) }
    }
    #expect(removed == 1)
    #expect(try await values() == [other])
  }

  @Test func `a diary finds moods by valence, label, association and kind`() async throws {
    let store = health.store
    let diary = await MoodDiary(store: store)
    try await diary.add(-0.5, at: noon, labels: [.sad, .stressed], associations: [.work])
    let happy = try await diary.add(0.75, kind: .dailyMood, at: noon + 60, labels: [.happy])
    try await diary.reload()
    #expect(await diary.entries.map(\.valence) == [0.75, -0.5])
    #expect(try await diary.low(below: 0).map(\.labels) == [[.sad, .stressed]])
    #expect(try await diary.find(label: .stressed).count == 1)
    #expect(try await diary.find(association: .work).map(\.valence) == [-0.5])
    #expect(try await diary.find(kind: .dailyMood).map(\.id) == [happy])
    try await diary.remove(happy)
    try await diary.reload()
    #expect(await diary.entries.map(\.valence) == [-0.5])
  }
}
