import HealthKit
import Testing

/// Running queries for the samples of a workout, to which others are added.
@Suite struct WorkoutFeedTests {
  let store = HKHealthStore.inMemory()
  private let workout = HKWorkout(
    activityType: .running, start: start, end: start.addingTimeInterval(600))
  private var within: NSPredicate { HKQuery.predicateForObjects(from: workout) }

  @Test func `an anchored query delivers samples added later, saved before or not`()
    async throws
  {
    let saved = beat(60, 1)
    try await store.save([workout, saved, beat(50, 2)])
    let (updates, continuation) = AsyncStream.makeStream(of: [Double].self)
    let query = HKAnchoredObjectQuery(
      type: heartRate, predicate: within, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, _, _, _ in continuation.yield(samples?.beats ?? [-1]) }
    query.updateHandler = { _, samples, deleted, _, _ in
      continuation.yield((samples?.beats ?? [-1]) + (deleted ?? []).map { _ in -2 })
    }
    store.execute(query)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next() == [])
    try await store.addSamples([beat(70, 3)], to: workout)
    #expect(await iterator.next() == [70])
    try await store.save(beat(55, 4))
    try await store.addSamples([saved, beat(80, 5)], to: workout)
    #expect(await iterator.next() == [60, 80])
    try await store.delete(saved)
    #expect(await iterator.next() == [-2])
    store.stop(query)
  }

  @Test func `an observer is called when a sample that was saved earlier is added`() async throws {
    let saved = beat(60, 1)
    try await store.save([workout, saved])
    let (calls, continuation) = AsyncStream.makeStream(of: Set<HKSampleType>.self)
    let descriptors = [heartRate, steps].map {
      HKQueryDescriptor(sampleType: $0, predicate: within)
    }
    let query = HKObserverQuery(queryDescriptors: descriptors) { _, types, completion, _ in
      continuation.yield(types ?? [])
      completion()
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == [heartRate, steps])
    try await store.save([beat(50, 2), walk(5)])
    try await store.addSamples([saved], to: workout)
    #expect(await iterator.next() == [heartRate])
    try await store.addSamples([walk(10)], to: workout)
    #expect(await iterator.next() == [steps])
    store.stop(query)
  }

  @Test func `a sequence of changes delivers additions and newer versions`()
    async throws
  {
    func version(_ number: Int, _ value: Double) -> HKQuantitySample {
      beat(
        value, Double(number * 1000),
        metadata: [HKMetadataKeySyncIdentifier: "b", HKMetadataKeySyncVersion: number])
    }
    try await store.save(workout)
    let changes = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate, predicate: within)], anchor: nil
    ).results(for: store)
    var iterator = changes.makeAsyncIterator()
    #expect(try await iterator.next()?.addedSamples == [])
    let first = version(1, 60)
    try await store.addSamples([first], to: workout)
    #expect(try await iterator.next()?.addedSamples.beats == [60])
    let second = version(2, 61)
    try await store.save(second)
    var update = try await iterator.next()
    #expect(update?.addedSamples.beats == [61])
    #expect(update?.deletedObjects.map(\.uuid) == [first.uuid])
    try await store.save(version(3, 62))
    update = try await iterator.next()
    #expect(update?.addedSamples.beats == [62])
    #expect(update?.deletedObjects.map(\.uuid) == [second.uuid])
  }

  @Test func `an anchor from before a sample was added returns it`() async throws {
    let saved = beat(60, 1)
    try await store.save([workout, saved])
    let before = try await store.anchored(heartRate, predicate: within, anchor: nil)
    #expect(before.samples == [])
    try await store.addSamples([saved], to: workout)
    let after = try await store.anchored(heartRate, predicate: within, anchor: before.anchor)
    #expect(after.samples?.beats == [60])
    let end = try await store.anchored(heartRate, predicate: within, anchor: after.anchor)
    #expect(end.samples == [])
  }
}
