import HealthKit
import Testing

/// The page of `init(queryDescriptors:anchor:limit:resultsHandler:)`, sentence by sentence in our
/// own words.
@Suite struct ArticlesDescriptorsTests {
  let store = HKHealthStore.inMemory()

  private let descriptors = [
    HKQueryDescriptor(sampleType: steps, predicate: nil),
    HKQueryDescriptor(
      sampleType: heartRate,
      predicate: HKQuery.predicateForQuantitySamples(
        with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 100))),
  ]

  private func read(
    after anchor: HKQueryAnchor? = nil, limit: Int = HKObjectQueryNoLimit
  ) async throws -> AnchoredUpdate {
    try await withFencedContinuation { continuation in
      store.execute(
        HKAnchoredObjectQuery(queryDescriptors: descriptors, anchor: anchor, limit: limit) {
          _, samples, deleted, anchor, error in
          continuation.resume(
            returning: AnchoredUpdate(
              samples: samples, deleted: deleted, anchor: anchor, error: error))
        })
    }
  }

  @Test func `a sample of any type is returned if one of the descriptors admits it`() async throws {
    try await store.save([walk(1), beat(60), beat(120, 1)])
    let found = try #require(try await read().samples)
    #expect(found.counts == [1])
    #expect(found.filter { $0.sampleType == heartRate }.beats == [120])
    #expect(found.count == 2)
  }

  @Test func `a descriptor's predicate filters its own type, deleted objects included`()
    async throws
  {
    let (slow, fast, step) = (beat(60), beat(120, 1), walk(1))
    try await store.save([slow, fast, step])
    let anchor = try await read().anchor
    try await store.delete([slow, fast, step])
    let deleted = try #require(try await read(after: anchor).deleted)
    #expect(Set(deleted.map(\.uuid)) == [fast.uuid, step.uuid])
  }

  @Test func `an anchor restricts results to newer samples`() async throws {
    try await store.save([walk(1), beat(120)])
    let first = try await read()
    try await store.save([walk(2, -100), beat(130, -100), beat(50)])
    let second = try #require(try await read(after: first.anchor).samples)
    #expect(Set(second.map(\.sampleType)) == [steps, heartRate])
    #expect(second.count == 2)
  }

  @Test func `a nil anchor returns all samples and recently deleted objects`()
    async throws
  {
    let gone = walk(1)
    try await store.save([gone, walk(2)])
    try await store.delete(gone)
    let found = try await read()
    #expect(found.samples?.counts == [2])
    #expect(found.deleted?.map(\.uuid) == [gone.uuid])
  }

  @Test func `a limit bounds the results, and the new anchor belongs to the last of them`()
    async throws
  {
    for number in 0..<7 {
      try await store.save([walk(Double(number)), beat(101 + Double(number), Double(number))])
    }
    var anchor: HKQueryAnchor?
    var (sizes, seen): ([Int], Set<UUID>) = ([], [])
    while true {
      let update = try await read(after: anchor, limit: 4)
      let samples = try #require(update.samples)
      let deleted = try #require(update.deleted)
      if samples.isEmpty, deleted.isEmpty { break }
      sizes.append(samples.count)
      seen.formUnion(samples.map(\.uuid))
      anchor = update.anchor
    }
    #expect(sizes == [4, 4, 4, 2])
    #expect(seen.count == 14)
    #expect(try await read().samples?.count == 14)
  }

  @Test func `a failed query returns nil values and an error`() async throws {
    try await store.close()
    let update = try await read()
    #expect(update.samples == nil)
    #expect(update.deleted == nil)
    #expect(update.anchor == nil)
    #expect((update.error as? HKError)?.code == .errorDatabaseInaccessible)
  }

  @Test func `an update handler receives changes of any of the types`() async throws {
    let (updates, continuation) = AsyncStream.makeStream(of: [HKSampleType].self)
    let query = HKAnchoredObjectQuery(
      queryDescriptors: descriptors, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, _, _, _ in continuation.yield((samples ?? []).map(\.sampleType)) }
    query.updateHandler = { _, samples, _, _, _ in
      continuation.yield((samples ?? []).map(\.sampleType))
    }
    store.execute(query)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next() == [])
    try await store.save(walk(1))
    #expect(await iterator.next() == [steps])
    try await store.save(beat(50))
    try await store.save(beat(150, 1))
    #expect(await iterator.next() == [heartRate])
    store.stop(query)
    continuation.finish()
  }
}
