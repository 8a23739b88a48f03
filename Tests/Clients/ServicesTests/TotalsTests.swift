import HealthKit
import HealthKitTesting
import Testing

@testable import Services

@Suite struct TotalsTests {
  private let health: TestHealthData

  init() throws { health = try TestHealthData() }

  @Test func `a step counter asks for access, adds steps and counts days`() async throws {
    let counter = StepCounter(healthStore: health.app())
    let access = await withCheckedContinuation { continuation in
      counter.requestAccess { continuation.resume(returning: $0.map { true }) }
    }
    #expect(try access.get())
    for (steps, start) in [(300, noon), (200, noon + 3_600), (40, noon + 86_400)] {
      #expect(
        await withCheckedContinuation { continuation in
          counter.add(steps: steps, from: start, to: start + 60) {
            continuation.resume(returning: $0)
          }
        })
    }
    let today = await withCheckedContinuation { continuation in
      counter.steps(on: noon, calendar: health.calendar) { steps, _ in
        continuation.resume(returning: steps)
      }
    }
    #expect(today == 500)
    let midnight = health.calendar.startOfDay(for: noon)
    let days = await withCheckedContinuation { continuation in
      counter.dailySteps(from: midnight, to: midnight + 7 * 86_400, calendar: health.calendar) {
        continuation.resume(returning: $0)
      }
    }
    #expect(days == [midnight: 500, midnight + 86_400: 40])
  }

  @Test func `a step counter is notified of a day that changes`() async throws {
    let store = try await health.app(sharing: [HKQuantityType(.stepCount)])
    let counter = StepCounter(healthStore: store)
    let midnight = health.calendar.startOfDay(for: noon)
    try await store.save(quantity(.stepCount, 10, .count(), noon, noon + 60))
    let changes = Inbox<Double>()
    counter.onUpdate = { if $0 == midnight { changes.put($1) } }
    counter.startUpdates(anchor: midnight)
    #expect(await changes.first() == 10)
    try await store.save(quantity(.stepCount, 5, .count(), noon + 90, noon + 100))
    #expect(await changes.first { $0 != 10 } == 15)
    counter.stopUpdates()
  }

  @Test func `a dashboard shows sums, averages, weeks and shares`() async throws {
    let store = health.store
    try await store.save([
      quantity(.stepCount, 100, .count(), noon, noon + 60),
      quantity(.stepCount, 50, .count(), noon + 8 * 86_400, noon + 8 * 86_400 + 60),
      quantity(.activeEnergyBurned, 7, .kilocalorie(), noon, noon + 60),
      quantity(.heartRate, 60, HKUnit(from: "count/min"), noon),
      quantity(.heartRate, 80, HKUnit(from: "count/min"), noon + 1),
    ])
    let dashboard = StatisticsDashboard(store: store)
    let midnight = health.calendar.startOfDay(for: noon)
    let tiles = try await dashboard.tiles(for: DateInterval(start: midnight, duration: 86_400))
    #expect(
      tiles == [
        DashboardTile(title: "Steps", value: 100, unit: "count"),
        DashboardTile(title: "Energy", value: 7, unit: "kcal"),
        DashboardTile(title: "Heart rate", value: 70, unit: "count/min"),
      ])
    let weeks = try await dashboard.weeks(
      of: .stepCount, unit: .count(), anchor: midnight, from: midnight,
      to: midnight + 14 * 86_400 - 1)
    #expect(weeks == [100, 50])
    let shares = try await dashboard.shares(of: .stepCount)
    #expect(shares == [HKSource.default().name: 150])
  }

  @Test func `rings fill as samples arrive`() async throws {
    let store = health.store
    let rings = ActivityRings(healthStore: store, calendar: health.calendar)
    #expect(try await rings.today(noon) == nil)
    try await store.save([
      quantity(.activeEnergyBurned, 120, .kilocalorie(), noon, noon + 600),
      quantity(.appleExerciseTime, 10, .minute(), noon, noon + 600),
      HKCategorySample(
        type: HKCategoryType(.appleStandHour),
        value: HKCategoryValueAppleStandHour.stood.rawValue, start: noon, end: noon + 3_600),
    ])
    let today = try #require(try await rings.today(noon))
    #expect([today.move, today.exercise, today.stand] == [120, 10, 1])
    #expect([today.day.year, today.day.month, today.day.day] == [2026, 1, 5])
    let moves = Inbox<Double>()
    rings.follow(from: noon - 86_400, to: noon + 86_400) { $0.forEach { moves.put($0.move) } }
    #expect(await moves.first() == 120)
    try await store.save(
      quantity(.activeEnergyBurned, 30, .kilocalorie(), noon + 700, noon + 800))
    #expect(await moves.first { $0 != 120 } == 150)
    rings.stop()
  }
}
