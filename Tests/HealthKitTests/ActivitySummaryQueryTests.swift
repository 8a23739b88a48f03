import HealthKit
import Testing

/// HealthKit's documented behaviour of activity summaries, and the rules of their computation here.
@Suite struct ActivitySummaryQueryTests {
  let store = HKHealthStore.inMemory()
  let day: ActivityDay

  init() throws {
    // Two days before a day of 25 hours in Berlin.
    day = try ActivityDay(2026, 10, 23, in: "Europe/Berlin")
    store.calendar = day.calendar
  }

  private func summaries(_ predicate: NSPredicate? = nil) async throws -> [HKActivitySummary] {
    try await HKActivitySummaryQueryDescriptor(predicate: predicate).result(for: store)
  }

  @Test func `a day's amounts are the sums of its samples`() async throws {
    try await store.save([
      day.energy(100, hour: 8), day.energy(50, hour: 20), day.exercise(12, hour: 8),
      day.move(30, hour: 9),
    ])
    let summary = try #require(try await summaries().first)
    #expect(summary.activeEnergyBurned == HKQuantity(unit: .kilocalorie(), doubleValue: 150))
    #expect(summary.appleExerciseTime == HKQuantity(unit: .minute(), doubleValue: 12))
    #expect(summary.appleMoveTime == HKQuantity(unit: .minute(), doubleValue: 30))
    #expect(summary.appleStandHours == HKQuantity(unit: .count(), doubleValue: 0))
    #expect(summary.dateComponents(for: day.calendar) == day.components())
  }

  @Test func `samples that two sources recorded at once count once`() async throws {
    let watch = HKSource(name: "Watch", bundleIdentifier: "com.apple.health.watch")
    let phone = HKSource(name: "Phone", bundleIdentifier: "com.apple.health.phone")
    try await store.save([
      day.energy(100, hour: 8, from: watch, product: "Watch7,1"),
      day.energy(80, hour: 8, from: phone, product: "iPhone16,1"),
    ])
    #expect(try await summaries().energies == [100])
    try await store.setSourceOrder([phone], for: HKQuantityType(.activeEnergyBurned))
    #expect(try await summaries().energies == [80])
  }

  @Test func `stand hours are the distinct hours with a stand`() async throws {
    try await store.save([
      day.stood(hour: 7), day.stood(hour: 7.5), day.stood(hour: 9), day.stood(.idle, hour: 10),
    ])
    #expect(try await summaries().first?.appleStandHours.doubleValue(for: .count()) == 2)
  }

  @Test func `a day goes from midnight to midnight, even when the clock changes`()
    async throws
  {
    try await store.save((0..<25).map { day.stood(hour: 48 + Double($0)) })
    try await store.save([
      day.energy(1, hour: 47.9, hours: 0), day.energy(2, hour: 48, hours: 0),
      day.energy(4, hour: 72.9, hours: 0), day.energy(8, hour: 73, hours: 0),
    ])
    let found = try await summaries()
    #expect(found.energies == [1, 6, 8])
    #expect(found.map { $0.appleStandHours.doubleValue(for: .count()) } == [0, 25, 0])
  }

  @Test func `a sample across midnight counts in both days in proportion`() async throws {
    try await store.save(day.energy(100, hour: 23.25, hours: 1))
    #expect(try await summaries().energies == [75, 25])
  }

  @Test func `days follow the store's calendar and time zone`() async throws {
    try await store.save(day.energy(100, hour: 3, hours: 0))
    let auckland = try ActivityDay(2026, 10, 23, in: "Pacific/Auckland")
    let honolulu = try ActivityDay(2026, 10, 22, in: "Pacific/Honolulu")
    for other in [auckland, honolulu] {
      store.calendar = other.calendar
      let found = try #require(try await summaries().first)
      #expect(found.dateComponents(for: other.calendar) == other.components())
    }
  }

  @Test func `summaries are sorted by day, and only days with samples have one`()
    async throws
  {
    try await store.save([
      day.energy(3, hour: 97), day.exercise(1, hour: 1), day.stood(hour: 25), beat(60),
    ])
    let days = try await summaries().map { $0.dateComponents(for: day.calendar).day }
    #expect(days == [23, 24, 27])
    let empty = HKQuery.predicateForActivitySummary(with: day.components(2))
    #expect(try await summaries(empty) == [])
  }

  @Test func `a predicate for one day or a range of days admits only those`() async throws {
    try await store.save((0..<6).map { day.energy(Double($0), hour: Double($0) * 24 + 12) })
    let one = HKQuery.predicateForActivitySummary(with: day.components(2))
    #expect(try await summaries(one).energies == [2])
    let several = HKQuery.predicate(
      forActivitySummariesBetweenStart: day.components(1), end: day.components(3))
    #expect(try await summaries(several).energies == [1, 2, 3])
    let later = NSPredicate(
      format: "%K > %@", HKPredicateKeyPathDateComponents, day.components(3))
    #expect(try await summaries(later).energies == [4, 5])
    let others = NSCompoundPredicate(notPredicateWithSubpredicate: several)
    #expect(try await summaries(others).energies == [0, 4, 5])
    let none = NSCompoundPredicate(andPredicateWithSubpredicates: [one, later])
    #expect(try await summaries(none) == [])
  }

  @Test func `a block predicate is evaluated for every summary`() async throws {
    try await store.save((0..<6).map { day.energy(Double($0), hour: Double($0) * 24 + 12) })
    let much = NSPredicate { summary, _ in
      guard let summary = summary as? HKActivitySummary else { return false }
      return summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) > 3
    }
    #expect(try await summaries(much).energies == [4, 5])
  }

  @Test func `a query without results returns an empty array and no error`() async throws {
    #expect(try await summaries() == [])
    let found: [HKActivitySummary]? = try await withFencedContinuation { continuation in
      store.execute(
        HKActivitySummaryQuery(predicate: nil) { _, summaries, error in
          continuation.resume(with: error.map(Result.failure) ?? .success(summaries))
        })
    }
    #expect(found == [])
  }

  @Test func `samples of other subjects do not count`() async throws {
    let directory = TemporaryDirectory()
    let ada = try HKHealthStore(directory: directory.url, subject: "ada")
    let bob = try HKHealthStore(directory: directory.url, subject: "bob")
    try await ada.save(day.energy(100, hour: 8))
    try await ada.setActivityGoals(day.goals(400))
    let descriptor = HKActivitySummaryQueryDescriptor(predicate: nil)
    #expect(try await descriptor.result(for: bob) == [])
    try await bob.save(day.energy(7, hour: 8))
    #expect(try await descriptor.result(for: bob).energyGoals == [0])
    #expect(try await descriptor.result(for: ada).energyGoals == [400])
  }

  @Test func `a closed store returns an error`() async throws {
    try await store.close()
    do {
      _ = try await summaries()
      Issue.record("a closed store returned summaries")
    } catch HKError.errorDatabaseInaccessible {
    }
  }
}
