#if canImport(HealthKitTesting)
  import HealthKit
  import HealthKitTesting
  import StepCounter
  import Testing

  @Suite struct StepCounterTests {
    private let health: TestHealthData
    private let generator: SampleGenerator

    init() throws {
      health = try TestHealthData(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
      generator = SampleGenerator(seed: 1, calendar: health.calendar)
    }

    private func week(sheet: AuthorizationSheet = AuthorizationSheet()) async throws -> [Double] {
      let counter = StepCounter(store: health.app(sheet: sheet), calendar: health.calendar)
      return try await counter.week(endingAt: health.clock.now)
    }

    @Test func `steps counted by a Watch and an iPhone at once count once`() async throws {
      let walks = try generator.steps(on: health.clock.now - 86_400)
      try await health.store.save(walks)
      let all = walks.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
      let week = try await week()
      #expect(week.count == 1)
      #expect(week[0] > 0.4 * all && week[0] < 0.7 * all)
    }

    @Test func `a person who denies access looks like one without steps`() async throws {
      try await health.store.save(try generator.steps(on: health.clock.now))
      let sheet = AuthorizationSheet(denyingToRead: [HKQuantityType(.stepCount)])
      #expect(try await week(sheet: sheet).isEmpty)
      #expect(sheet.requests.count == 1)
    }

    @Test func `a walk past midnight counts on both days`() async throws {
      let midnight = health.calendar.startOfDay(for: health.clock.now)
      try await health.store.save(
        HKQuantitySample(
          type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 90),
          start: midnight - 120, end: midnight + 60))
      #expect(try await week() == [60, 30])
    }

    @Test func `the week moves with the clock`() async throws {
      try await health.store.save(try generator.steps(on: health.clock.now))
      health.clock.advance(by: 6 * 86_400)
      #expect(try await week().count == 1)
      health.clock.advance(by: 86_400)
      #expect(try await week().isEmpty)
    }
  }
#endif
