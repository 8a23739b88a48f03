import HealthKit
import Testing

/// Running queries of activity summaries while samples and settings change.
@Suite struct ActivitySummaryUpdateTests {
  let store = HKHealthStore.inMemory()
  let day: ActivityDay

  init() throws {
    day = try ActivityDay(2026, 7, 1, in: "America/New_York")
    store.calendar = day.calendar
  }

  @Test func `later elements have only the changed summaries`() async throws {
    let first = day.energy(10, hour: 12)
    try await store.save([first, day.energy(20, hour: 36)])
    var iterator = HKActivitySummaryQueryDescriptor(predicate: nil).results(for: store)
      .makeAsyncIterator()
    #expect(try await iterator.next()?.energies == [10, 20])
    // Heart rates are not part of a summary.
    try await store.save([beat(60), day.energy(5, hour: 37)])
    #expect(try await iterator.next()?.energies == [25])
    try await store.save([day.stood(hour: 2), day.exercise(3, hour: 60)])
    let third = try #require(try await iterator.next())
    #expect(third.energies == [10, 0])
    #expect(third.first?.appleStandHours.doubleValue(for: .count()) == 1)
    try await store.delete(first)
    let fourth = try #require(try await iterator.next())
    #expect(fourth.energies == [0])
    #expect(fourth.first?.dateComponents(for: day.calendar).day == 1)
  }

  @Test func `the first element is delivered at once, even without summaries`() async throws {
    var iterator = HKActivitySummaryQueryDescriptor(predicate: nil).results(for: store)
      .makeAsyncIterator()
    #expect(try await iterator.next() == [])
  }

  @Test func `a day that has lost its samples is delivered with an empty summary`() async throws {
    let sample = day.exercise(20, hour: 12)
    try await store.save(sample)
    var iterator = HKActivitySummaryQueryDescriptor(predicate: nil).results(for: store)
      .makeAsyncIterator()
    #expect(try await iterator.next()?.count == 1)
    try await store.delete(sample)
    let last = try #require(try await iterator.next()?.first)
    #expect(last.appleExerciseTime.doubleValue(for: .minute()) == 0)
    #expect(last.dateComponents(for: day.calendar).day == 1)
    #expect(try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store) == [])
  }

  @Test func `changes outside the predicate's days are not delivered`() async throws {
    let second = HKQuery.predicateForActivitySummary(with: day.components(1))
    var iterator = HKActivitySummaryQueryDescriptor(predicate: second).results(for: store)
      .makeAsyncIterator()
    #expect(try await iterator.next() == [])
    try await store.save(day.energy(1, hour: 12))
    try await store.save(day.energy(2, hour: 36))
    #expect(try await iterator.next()?.energies == [2])
  }

  @Test func `the results handler is called once, the update handler with each change`()
    async throws
  {
    try await store.save(day.energy(10, hour: 12))
    let (calls, continuation) = AsyncStream.makeStream(of: [String].self)
    let query = HKActivitySummaryQuery(predicate: nil) { _, summaries, _ in
      continuation.yield(["results"] + (summaries ?? []).energies.map(\.description))
    }
    query.updateHandler = { _, summaries, _ in
      continuation.yield(["update"] + (summaries ?? []).energies.map(\.description))
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == ["results", "10.0"])
    try await store.save(day.energy(4, hour: 36))
    #expect(await iterator.next() == ["update", "4.0"])
    store.stop(query)
    try await store.save(day.energy(4, hour: 60))
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `newly set goals and days reach running queries`() async throws {
    try await store.save([day.energy(10, hour: 12), day.energy(20, hour: 36)])
    var iterator = HKActivitySummaryQueryDescriptor(predicate: nil).results(for: store)
      .makeAsyncIterator()
    #expect(try await iterator.next()?.energyGoals == [0, 0])
    try await store.setActivityGoals(day.goals(300), from: day.components(1))
    #expect(try await iterator.next()?.energyGoals == [300])
    let whole = HKActivitySummary()
    whole.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 77)
    try await store.setActivitySummaries([day.components(5): whole])
    #expect(try await iterator.next()?.energies == [77])
  }

  @Test func `an update handler that is set too late traps`() async {
    await #expect(processExitsWith: .failure) {
      let query = HKActivitySummaryQuery(predicate: nil) { _, _, _ in }
      HKHealthStore.inMemory().execute(query)
      query.updateHandler = { _, _, _ in }
    }
  }
}
