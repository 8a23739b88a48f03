import HealthKit
import Testing

@Suite struct AnchoredQueryTests {
  let store = HKHealthStore.inMemory()

  @Test func `a nil anchor returns everything and an anchor returns later changes`() async throws {
    try await store.save([beat(60), beat(61, 1)])
    let first = try await store.anchored(heartRate, anchor: nil)
    #expect(first.samples?.beats == [60, 61])
    #expect(first.deleted == [])
    try await store.save([beat(40, -100), walk(10)])
    let second = try await store.anchored(heartRate, anchor: first.anchor)
    #expect(second.samples?.beats == [40])
    let third = try await store.anchored(heartRate, anchor: second.anchor)
    #expect(third.samples == [])
    #expect(third.deleted == [])
  }

  @Test func `the anchor with value 0 is the beginning`() async throws {
    try await store.save(beat(60))
    let anchor = HKQueryAnchor(fromValue: Int(HKAnchoredObjectQueryNoAnchor))
    let update = try await store.anchored(heartRate, anchor: anchor)
    #expect(update.samples?.beats == [60])
  }

  @Test func `a deleted object is reported with its identifier and sync keys`() async throws {
    let sample = beat(
      60,
      metadata: [
        HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: 3,
        HKMetadataKeyWasUserEntered: true,
      ])
    try await store.save(sample)
    let seen = try await store.anchored(heartRate, anchor: nil)
    try await store.delete(sample)
    let update = try await store.anchored(heartRate, anchor: seen.anchor)
    #expect(update.samples == [])
    let deleted = try #require(update.deleted?.first)
    #expect(deleted.uuid == sample.uuid)
    #expect(deleted.metadata?[HKMetadataKeySyncIdentifier] as? String == "a")
    #expect(deleted.metadata?[HKMetadataKeySyncVersion] as? Int == 3)
    #expect(deleted.metadata?.count == 2)
  }

  @Test func `the predicate applies to deleted objects`() async throws {
    let slow = beat(50)
    let fast = beat(150, 1)
    try await store.save([slow, fast])
    let seen = try await store.anchored(heartRate, anchor: nil)
    try await store.delete([slow, fast])
    let isFast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 100))
    let update = try await store.anchored(heartRate, predicate: isFast, anchor: seen.anchor)
    #expect(update.deleted?.map(\.uuid) == [fast.uuid])
  }

  @Test func `limited batches lose nothing and end with two empty arrays`() async throws {
    let samples = (0..<23).map { beat(60 + Double($0), Double(-$0)) }
    for sample in samples { try await store.save(sample) }
    try await store.delete(samples[4])
    var anchor: HKQueryAnchor?
    var added: [Double] = []
    var deleted: [UUID] = []
    while true {
      let update = try await store.anchored(heartRate, anchor: anchor, limit: 5)
      guard let batch = update.samples, let gone = update.deleted else { break }
      #expect(batch.count + gone.count <= 5)
      if batch.isEmpty, gone.isEmpty { break }
      added += batch.beats
      deleted += gone.map(\.uuid)
      anchor = update.anchor
    }
    #expect(
      added == samples.map { $0.quantity.doubleValue(for: beatsPerMinute) }.filter { $0 != 64 })
    #expect(deleted == [samples[4].uuid])
  }

  @Test func `the update handler gets later saves and deletions in order`() async throws {
    let sample = beat(60)
    try await store.save(sample)
    let (updates, continuation) = AsyncStream.makeStream(of: AnchoredUpdate.self)
    let query = HKAnchoredObjectQuery(
      type: heartRate, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, deleted, anchor, error in
      continuation.yield(
        AnchoredUpdate(samples: samples, deleted: deleted, anchor: anchor, error: error))
    }
    query.updateHandler = { _, samples, deleted, anchor, error in
      continuation.yield(
        AnchoredUpdate(samples: samples, deleted: deleted, anchor: anchor, error: error))
    }
    store.execute(query)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next()?.samples?.beats == [60])
    try await store.save(walk(5))
    try await store.save(beat(61, 1))
    #expect(await iterator.next()?.samples?.beats == [61])
    try await store.delete(sample)
    let last = await iterator.next()
    #expect(last?.deleted?.map(\.uuid) == [sample.uuid])
    store.stop(query)
    try await store.save(beat(62, 2))
    // The changes after the last update were not delivered to the stopped query.
    let rest = try await store.anchored(heartRate, anchor: last?.anchor)
    #expect(rest.samples?.beats == [62])
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `a replaced sample appears as a deletion and an addition`() async throws {
    func sample(_ value: Double, _ version: Int) -> HKQuantitySample {
      beat(
        value, metadata: [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: version])
    }
    let old = sample(60, 1)
    try await store.save(old)
    let seen = try await store.anchored(heartRate, anchor: nil)
    try await store.save(sample(61, 2))
    let update = try await store.anchored(heartRate, anchor: seen.anchor)
    #expect(update.samples?.beats == [61])
    #expect(update.deleted?.map(\.uuid) == [old.uuid])
    try await store.save([sample(70, 2), sample(71, 1)])
    let later = try await store.anchored(heartRate, anchor: update.anchor)
    #expect(later.samples == [])
  }

  @Test func `several descriptors share one anchor`() async throws {
    try await store.save([beat(60), walk(10)])
    let update: AnchoredUpdate = try await withFencedContinuation { continuation in
      let query = HKAnchoredObjectQuery(
        queryDescriptors: [
          HKQueryDescriptor(sampleType: heartRate, predicate: nil),
          HKQueryDescriptor(sampleType: steps, predicate: nil),
        ], anchor: nil, limit: HKObjectQueryNoLimit
      ) { query, samples, deleted, anchor, error in
        continuation.resume(
          returning: AnchoredUpdate(
            samples: samples, deleted: deleted, anchor: anchor, error: error))
      }
      store.execute(query)
    }
    #expect(Set(update.samples?.map(\.sampleType) ?? []) == [heartRate, steps])
  }
}
