import HealthKit
import Testing

@Suite struct ConcurrencyTests {
  let store = HKHealthStore.inMemory()

  @Test func `a sample descriptor returns typed samples, newest first`() async throws {
    try await store.save([beat(60), beat(61, 1), beat(62, 2)])
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 2)
    let samples: [HKQuantitySample] = try await descriptor.result(for: store)
    #expect(samples.map { $0.quantity.doubleValue(for: beatsPerMinute) } == [62, 61])
  }

  @Test func `predicates of several types return their union`() async throws {
    try await store.save([beat(60), walk(10, 1)])
    let descriptor = HKSampleQueryDescriptor(
      predicates: [HKSamplePredicate.sample(type: heartRate), .sample(type: steps)],
      sortDescriptors: [SortDescriptor(\.startDate)])
    #expect(try await descriptor.result(for: store).map(\.sampleType) == [heartRate, steps])
  }

  @Test func `an anchored descriptor reads batches until no changes are left`() async throws {
    try await store.save((0..<12).map { beat(60, Double($0)) })
    var descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil, limit: 5)
    var sizes: [Int] = []
    var result: HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result
    repeat {
      result = try await descriptor.result(for: store)
      descriptor.anchor = result.newAnchor
      sizes.append(result.addedSamples.count)
    } while !result.addedSamples.isEmpty || !result.deletedObjects.isEmpty
    #expect(sizes == [5, 5, 2, 0])
  }

  @Test func `a sequence begins with the existing samples, even if there are none`() async throws {
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var iterator = descriptor.results(for: store).makeAsyncIterator()
    let first = try #require(try await iterator.next())
    #expect(first.addedSamples.isEmpty)
    #expect(first.deletedObjects.isEmpty)
    let sample = beat(60)
    try await store.save([walk(1), sample])
    let second = try #require(try await iterator.next())
    #expect(second.addedSamples.map(\.uuid) == [sample.uuid])
    try await store.delete(sample)
    let third = try #require(try await iterator.next())
    #expect(third.deletedObjects.map(\.uuid) == [sample.uuid])
  }

  @Test func `each loop over a sequence reads from the descriptor's anchor`() async throws {
    try await store.save(beat(60))
    let results = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil
    ).results(for: store)
    for _ in 0..<2 {
      for try await result in results {
        #expect(result.addedSamples.beats == [60])
        break
      }
    }
  }

  @Test func `cancelling the task ends a waiting sequence`() async throws {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let store = store
    let task = Task {
      let results = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: heartRate)], anchor: nil
      ).results(for: store)
      for try await _ in results { continuation.yield() }
    }
    var iterator = started.makeAsyncIterator()
    _ = await iterator.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a sequence with an anchor of another store throws and then ends`() async throws {
    let other = HKHealthStore.inMemory()
    let anchor = try await other.anchored(heartRate, anchor: nil).anchor
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: anchor)
    var iterator = descriptor.results(for: store).makeAsyncIterator()
    await #expect(throws: HKError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `closing the store ends a waiting sequence with an error`() async throws {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let store = store
    let task = Task {
      let results = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: heartRate)], anchor: nil
      ).results(for: store)
      for try await _ in results { continuation.yield() }
    }
    var iterator = started.makeAsyncIterator()
    _ = await iterator.next()
    try await store.close()
    do {
      try await task.value
      Issue.record("the sequence ended without an error")
    } catch HKError.errorDatabaseInaccessible {
    }
  }

  @Test func `predicates with the same meaning are equal`() {
    let day = HKQuery.predicateForSamples(withStart: start, end: nil)
    let same = HKQuery.predicateForSamples(withStart: start, end: nil)
    #expect(
      HKSamplePredicate.quantitySample(type: heartRate, predicate: day)
        == HKSamplePredicate.quantitySample(type: heartRate, predicate: same))
    #expect(
      HKSamplePredicate.quantitySample(type: heartRate, predicate: day)
        != HKSamplePredicate.quantitySample(type: heartRate))
  }
}
