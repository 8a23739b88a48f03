import HealthKit
import Testing

/// The article "Executing Anchored Object Queries", sentence by sentence in our own words.
@Suite struct ArticlesAnchoredQueryTests {
  let store = HKHealthStore.inMemory()
  private let stepType: HKQuantityType

  init() throws {
    stepType = try #require(HKObjectType.quantityType(forIdentifier: .stepCount))
  }

  private typealias Updates = AsyncStream<AnchoredUpdate>

  /// Runs a query with an update handler, and yields the calls of both handlers.
  private func follow() -> (HKAnchoredObjectQuery, Updates, Updates.Continuation) {
    let (updates, continuation) = AsyncStream.makeStream(of: AnchoredUpdate.self)
    let handler:
      @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void = { _, samples, deleted, anchor, error in
        continuation.yield(
          AnchoredUpdate(samples: samples, deleted: deleted, anchor: anchor, error: error))
      }
    let query = HKAnchoredObjectQuery(
      type: stepType, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit,
      resultsHandler: handler)
    query.updateHandler = handler
    store.execute(query)
    return (query, updates, continuation)
  }

  @Test func `a query returns the changes since the previous one`() async throws {
    let gone = walk(1)
    try await store.save([gone, walk(2, 100)])
    let first = try await store.anchored(stepType, anchor: nil)
    #expect(first.samples?.counts == [1, 2])
    try await store.save(walk(3, -100))
    try await store.delete(gone)
    let second = try await store.anchored(stepType, anchor: first.anchor)
    #expect(second.samples?.counts == [3])
    #expect(second.deleted?.map(\.uuid) == [gone.uuid])
  }

  @Test func `a query without a predicate and a limit returns all samples of the type`()
    async throws
  {
    try await store.save((0..<300).map { walk(Double($0), Double($0) * 100) } + [beat(60)])
    let found = try await store.anchored(stepType, anchor: nil, limit: HKObjectQueryNoLimit)
    #expect(found.samples?.count == 300)
  }

  @Test func `samples and deleted objects are nil if a query fails`() async throws {
    try await store.close()
    let update = await withCheckedContinuation { continuation in
      let query = HKAnchoredObjectQuery(
        type: stepType, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
      ) { _, samples, deleted, anchor, error in
        continuation.resume(
          returning: AnchoredUpdate(
            samples: samples, deleted: deleted, anchor: anchor, error: error))
      }
      store.execute(query)
    }
    #expect(update.samples == nil)
    #expect(update.deleted == nil)
    #expect(update.anchor == nil)
    #expect(update.error != nil)
  }

  @Test func `an anchor can be kept as bytes and used by a later query`() async throws {
    try await store.save(walk(1))
    let anchor = try #require(try await store.anchored(stepType, anchor: nil).anchor)
    let bytes = try NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    try await store.save(walk(2))
    let kept = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: bytes)
    #expect(try await store.anchored(stepType, anchor: kept).samples?.counts == [2])
  }

  @Test func `without an update handler a query ends after its results`() async throws {
    let (calls, called) = AsyncStream.makeStream(of: Void.self)
    let query = HKAnchoredObjectQuery(
      type: stepType, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, _, _, _, _ in called.yield() }
    store.execute(query)
    var callIterator = calls.makeAsyncIterator()
    #expect(await callIterator.next() != nil)
    let (other, updates, continuation) = follow()
    var iterator = updates.makeAsyncIterator()
    _ = await iterator.next()
    try await store.save(walk(1))
    // By now a running query has been notified.
    #expect(await iterator.next()?.samples?.counts == [1])
    called.finish()
    #expect(await callIterator.next() == nil)
    store.stop(other)
    continuation.finish()
  }

  @Test func `with an update handler a query delivers each change`() async throws {
    let first = walk(1)
    try await store.save(first)
    let (query, updates, continuation) = follow()
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next()?.samples?.counts == [1])
    try await store.save(walk(2))
    let second = await iterator.next()
    #expect(second?.samples?.counts == [2])
    try await store.delete(first)
    let third = await iterator.next()
    #expect(third?.samples == [])
    #expect(third?.deleted?.map(\.uuid) == [first.uuid])
    // Each update has an anchor from which to continue.
    let since = try await store.anchored(stepType, anchor: second?.anchor)
    #expect(since.deleted?.map(\.uuid) == [first.uuid])
    store.stop(query)
    continuation.finish()
  }

  @Test func `a stopped query calls no more handlers`() async throws {
    let (query, updates, continuation) = follow()
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next()?.samples == [])
    store.stop(query)
    let (other, others, otherContinuation) = follow()
    var otherIterator = others.makeAsyncIterator()
    _ = await otherIterator.next()
    try await store.save(walk(1))
    #expect(await otherIterator.next()?.samples?.counts == [1])
    continuation.finish()
    #expect(await iterator.next() == nil)
    store.stop(other)
    otherContinuation.finish()
  }

  @Test func `handlers run in the background`() async throws {
    let isMain = await withCheckedContinuation { continuation in
      store.execute(
        HKAnchoredObjectQuery(
          type: stepType, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, _, _, _, _ in continuation.resume(returning: Thread.isMainThread) })
    }
    #expect(!isMain)
  }

  @Test func `an update handler that is set too late traps`() async {
    await #expect(processExitsWith: .failure) {
      let query = HKAnchoredObjectQuery(
        type: HKQuantityType(.stepCount), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
      ) { _, _, _, _, _ in }
      HKHealthStore.inMemory().execute(query)
      query.updateHandler = { _, _, _, _, _ in }
    }
  }
}
