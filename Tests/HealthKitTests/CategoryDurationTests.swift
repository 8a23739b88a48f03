import HealthKit
import Testing

/// Durations of category values in intervals, which HealthKit does not have.
@Suite struct CategoryDurationTests {
  let store = HKHealthStore.inMemory()
  private let sleep = HKCategoryType(.sleepAnalysis)
  private let noon: Date
  private let berlin: Calendar

  init() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    berlin = calendar
    // The clock goes forward in Berlin in the following night.
    noon = try #require(
      calendar.date(from: DateComponents(year: 2025, month: 3, day: 29, hour: 12)))
    store.calendar = calendar
  }

  private func nightly(
    _ predicate: NSPredicate? = nil
  ) -> HKCategoryDurationCollectionQueryDescriptor {
    HKCategoryDurationCollectionQueryDescriptor(
      predicate: .categorySample(type: sleep, predicate: predicate), anchorDate: noon,
      intervalComponents: DateComponents(day: 1))
  }

  /// A stage of sleep, in hours from noon.
  private func stage(
    _ value: HKCategoryValueSleepAnalysis, _ from: Double, _ to: Double,
    by bundleIdentifier: String = "watch", on product: String = "Watch7,1"
  ) throws -> HKCategorySample {
    try HKCategorySample.validated(
      type: sleep, value: value.rawValue, start: noon.addingTimeInterval(from * 3_600),
      end: noon.addingTimeInterval(to * 3_600),
      sourceRevision: HKSourceRevision(
        source: HKSource(name: bundleIdentifier, bundleIdentifier: bundleIdentifier), version: nil,
        productType: product, operatingSystemVersion: HKSourceRevisionAnyOperatingSystem))
  }

  private func hours(
    _ found: [HKCategoryDurations], _ value: HKCategoryValueSleepAnalysis
  ) -> [Double] {
    found.map { $0.duration(of: value) / 3_600 }
  }

  @Test func `nights have the time of each stage, in days of the store's calendar`() async throws {
    try await store.save([
      stage(.asleepCore, 10, 13), stage(.asleepREM, 13, 14), stage(.asleepCore, 14, 16),
      stage(.asleepDeep, 22, 25),
    ])
    let found = try await nightly().result(for: store)
    #expect(found.map(\.startDate) == [noon, noon.addingTimeInterval(23 * 3_600)])
    #expect(found.first?.endDate == found.last?.startDate)
    #expect(hours(found, .asleepCore) == [5, 0])
    #expect(hours(found, .asleepREM) == [1, 0])
    #expect(hours(found, .asleepDeep) == [1, 2])
    #expect(found.last?.durations == [HKCategoryValueSleepAnalysis.asleepDeep.rawValue: 7_200])
    #expect(found.allSatisfy { $0.categoryType == sleep })
  }

  @Test func `a Watch displaces an iPhone unless the order of sources differs`()
    async throws
  {
    try await store.save([
      stage(.inBed, 9, 17, by: "phone", on: "iPhone15,2"), stage(.asleepCore, 10, 16),
    ])
    let found = try await nightly().result(for: store)
    #expect(hours(found, .inBed) == [2] && hours(found, .asleepCore) == [6])
    let phone = HKSource(name: "phone", bundleIdentifier: "phone")
    try await store.setSourceOrder([phone], for: sleep)
    let other = try await nightly().result(for: store)
    #expect(hours(other, .inBed) == [8] && hours(other, .asleepCore) == [0])
  }

  @Test func `only samples that satisfy the predicate count, and deleted ones do not`()
    async throws
  {
    let deep = try stage(.asleepDeep, 12, 13)
    try await store.save([stage(.asleepCore, 10, 12), deep])
    let isDeep = HKQuery.predicateForCategorySamples(
      with: .equalTo, value: HKCategoryValueSleepAnalysis.asleepDeep.rawValue)
    let found = try await nightly(isDeep).result(for: store)
    #expect(hours(found, .asleepDeep) == [1] && hours(found, .asleepCore) == [0])
    try await store.delete(deep)
    #expect(try await nightly(isDeep).result(for: store).isEmpty)
    #expect(hours(try await nightly().result(for: store), .asleepCore) == [2])
  }

  @Test func `components that are not an interval throw`() async throws {
    var descriptor = nightly()
    descriptor.intervalComponents = DateComponents()
    await #expect(throws: HKStatisticsError.emptyInterval) {
      try await descriptor.result(for: store)
    }
  }
}
