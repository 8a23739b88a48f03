import HealthKit
import HealthKitTesting
import Testing

@Suite struct TestHealthDataTests {
  private let steps = HKQuantityType(.stepCount)

  private func samples(_ store: HKHealthStore) async throws -> [HKQuantitySample] {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: []
    ).result(for: store)
  }

  private func walk(_ count: Double, at date: Date) -> HKQuantitySample {
    HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: date,
      end: date + 60)
  }

  @Test func `a new app has to ask, and the sheet shows its request`() async throws {
    let health = try TestHealthData()
    try await health.store.save(walk(5, at: health.clock.now))
    let sheet = AuthorizationSheet(denyingToShare: [steps])
    let app = health.app(HKSource(name: "App", bundleIdentifier: "app"), sheet: sheet)
    let error = await #expect(throws: HKError.self) { _ = try await samples(app) }
    #expect(error?.code == .errorAuthorizationNotDetermined)
    try await app.requestAuthorization(toShare: [steps], read: [steps])
    #expect(sheet.requests == [AuthorizationRequest(toShare: [steps], read: [steps])])
    #expect(try await samples(app).count == 1)
    #expect(app.authorizationStatus(for: steps) == .sharingDenied)
  }

  @Test func `a sheet that is dismissed is shown again`() async throws {
    let health = try TestHealthData()
    let sheet = AuthorizationSheet.dismissed()
    let app = health.app(sheet: sheet)
    for _ in 0..<2 {
      let error = await #expect(throws: HKError.self) {
        try await app.requestAuthorization(toShare: [], read: [steps])
      }
      #expect(error?.code == .errorUserCanceled)
    }
    #expect(sheet.requests.count == 2)
  }

  @Test func `two apps see their own samples only when reading is denied`() async throws {
    let health = try TestHealthData()
    for name in ["a", "b"] {
      let app = health.app(
        HKSource(name: name, bundleIdentifier: name),
        sheet: AuthorizationSheet(denyingToRead: [steps]))
      try await app.requestAuthorization(toShare: [steps], read: [steps])
      try await app.save(walk(5, at: health.clock.now))
      #expect(try await samples(app).map(\.sourceRevision.source.name) == [name])
    }
    #expect(try await samples(health.store).count == 2)
  }

  @Test func `an anchor expires when the clock passes the retention`() async throws {
    let health = try TestHealthData()
    let walk = walk(5, at: health.clock.now)
    try await health.store.save(walk)
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil)
    let anchor = try await descriptor.result(for: health.store).newAnchor
    try await health.store.delete(walk)
    let resumed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: anchor)
    try await health.store.compact()
    #expect(try await resumed.result(for: health.store).deletedObjects.count == 1)
    health.clock.advance(by: 31 * 86_400)
    try await health.store.compact()
    let error = await #expect(throws: HKError.self) {
      _ = try await resumed.result(for: health.store)
    }
    #expect(error?.code == .errorInvalidArgument)
  }

  @Test func `handles count days in the time zone of the test`() async throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let health = try TestHealthData(timeZone: zone)
    #expect(health.app().calendar == health.calendar)
    #expect(health.store.calendar.timeZone == zone)
    #expect(health.calendar.component(.hour, from: health.clock.now) == 1)
  }

  @Test func `a clock moves to the time that a test sets`() {
    let clock = TestClock()
    let noon = clock.now
    clock.advance(by: 90)
    #expect(clock.now == noon + 90)
    clock.now = noon
    #expect(clock.now == noon)
  }

  @Test func `statistics and deleted objects can be made without a store`()
    async throws
  {
    let start = Date(timeIntervalSince1970: 1_770_000_000)
    let walks = [walk(5, at: start), walk(7, at: start + 3600)]
    let sum = try await HKStatistics.computed(from: walks, options: .cumulativeSum)
    #expect(sum.sumQuantity() == HKQuantity(unit: .count(), doubleValue: 12))
    let hours = try await HKStatisticsCollection.computed(
      from: walks, options: .cumulativeSum, anchorDate: start,
      intervalComponents: DateComponents(hour: 1))
    #expect(hours.statistics().count == 2)
    let error = await #expect(throws: HKError.self) {
      _ = try await HKStatistics.computed(from: [], options: .cumulativeSum)
    }
    #expect(error?.code == .errorNoData)
    let deleted = try await HKDeletedObject.made(byDeleting: walks.reversed())
    #expect(deleted.map(\.uuid) == walks.reversed().map(\.uuid))
    let synced = HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: start, end: start,
      metadata: [HKMetadataKeySyncIdentifier: "s", HKMetadataKeySyncVersion: 3])
    let metadata = try await HKDeletedObject.made(byDeleting: [synced]).first?.metadata
    #expect(metadata?[HKMetadataKeySyncIdentifier] as? String == "s")
  }
}
