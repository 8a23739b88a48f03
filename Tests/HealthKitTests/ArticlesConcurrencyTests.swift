import HealthKit
import Testing

/// The article "Running Queries with Swift Concurrency", sentence by sentence in our own words.
@Suite struct ArticlesConcurrencyTests {
  let store = HKHealthStore.inMemory()

  /// A predicate for samples that began in the seven days before the last one.
  private var inLastWeek: NSPredicate {
    var components = Calendar.current.dateComponents([.year, .month, .day], from: start)
    components.day = (components.day ?? 0) - 7
    return HKQuery.predicateForSamples(
      withStart: Calendar.current.date(from: components), end: nil, options: [.strictStartDate])
  }

  private func descriptor(
    after anchor: HKQueryAnchor? = nil
  ) -> HKAnchoredObjectQueryDescriptor<HKQuantitySample> {
    HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps, predicate: inLastWeek)], anchor: anchor)
  }

  @Test func `a one-shot query returns all matching samples in the store`() async throws {
    try await store.save([walk(1), walk(2, 100), beat(60)])
    let found = try await descriptor().result(for: store)
    try await store.save(walk(4, 200))
    #expect(found.addedSamples.counts == [1, 2])
    #expect(found.deletedObjects.isEmpty)
  }

  @Test func `the predicate admits samples that began in the last week`() async throws {
    let week = 8 * 86_400.0
    let long = HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 9),
      start: start.addingTimeInterval(-week), end: start.addingTimeInterval(-week + 2 * 86_400))
    try await store.save([walk(1), walk(2, -week), long])
    #expect(try await descriptor().result(for: store).addedSamples.counts == [1])
  }

  @Test func `a descriptor for workouts compiles and finds none in an empty store`() async throws {
    try await store.save(walk(1))
    #expect(HKWorkoutType.workoutType() == HKObjectType.workoutType())
    let workouts = HKAnchoredObjectQueryDescriptor(
      predicates: [.workout(inLastWeek)], anchor: nil)
    let found: [HKWorkout] = try await workouts.result(for: store).addedSamples
    #expect(found.isEmpty)
  }

  @Test func `an anchor restricts results to later samples`() async throws {
    try await store.save(walk(1))
    let anchor = try await descriptor().result(for: store).newAnchor
    // Committed later, with an earlier date.
    try await store.save(walk(2, -100))
    #expect(try await descriptor(after: anchor).result(for: store).addedSamples.counts == [2])
  }

  @Test func `a result has the added samples, the deleted objects and a new anchor`() async throws {
    let gone = walk(1)
    try await store.save(gone)
    let first = try await descriptor().result(for: store)
    try await store.delete(gone)
    try await store.save(walk(2))
    let second = try await descriptor(after: first.newAnchor).result(for: store)
    #expect(second.addedSamples.counts == [2])
    #expect(second.deletedObjects.map(\.uuid) == [gone.uuid])
    let third = try await descriptor(after: second.newAnchor).result(for: store)
    #expect(third.addedSamples.isEmpty)
    #expect(third.deletedObjects.isEmpty)
  }

  @Test func `a failed query throws`() async throws {
    try await store.close()
    await #expect(throws: HKError.self) { try await descriptor().result(for: store) }
  }

  @Test func `a limit bounds what one query returns`() async throws {
    try await store.save((0..<9).map { walk(Double($0), Double($0) * 100) })
    var limited = descriptor()
    limited.limit = 4
    #expect(try await limited.result(for: store).addedSamples.count == 4)
  }

  @Test func `a long-running query returns existing samples, then each change`() async throws {
    let first = walk(1)
    try await store.save(first)
    var iterator = descriptor().results(for: store).makeAsyncIterator()
    #expect(try await iterator.next()?.addedSamples.counts == [1])
    try await store.save(walk(2))
    #expect(try await iterator.next()?.addedSamples.counts == [2])
    try await store.delete(first)
    #expect(try await iterator.next()?.deletedObjects.map(\.uuid) == [first.uuid])
  }

  @Test func `a long-running query ends when its task is cancelled`() async throws {
    let (elements, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task { [store, descriptor = descriptor()] in
      for try await update in descriptor.results(for: store) {
        continuation.yield(update.addedSamples.count)
      }
    }
    var iterator = elements.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    try await store.save([walk(1), walk(2)])
    #expect(await iterator.next() == 2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

extension Collection where Element: HKSample {
  /// The counts of steps.
  var counts: [Double] {
    compactMap { $0.sampleType == steps ? $0 as? HKQuantitySample : nil }
      .map { $0.quantity.doubleValue(for: .count()) }
  }
}
