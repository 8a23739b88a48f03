import Foundation
import SampleLog
import SampleLogReplication
import Testing

@testable import HealthCluster
@testable import HealthStore

/// A person's health store on a replica.
@Suite struct ReplicaTests {
  private let pair: Pair

  init() throws { pair = try Pair() }

  @Test func `An observer on a replica is notified of a save on the primary`() async throws {
    let (calls, continuation) = AsyncStream<Set<HKSampleType>>.makeStream()
    let store = try pair.replica.store(subject: "ada")
    let query = HKObserverQuery(queryDescriptors: [
      HKQueryDescriptor(sampleType: heartRate, predicate: nil)
    ]) { _, types, completion, error in
      if let types, error == nil { continuation.yield(types) }
      completion()
    }
    store.execute(query)
    var next = calls.makeAsyncIterator()
    #expect(await next.next() == [heartRate])
    try await pair.primary.save([beat(60)], "bob")
    try await pair.primary.save([beat(61)])
    #expect(await next.next() == [heartRate])
    #expect(try await pair.replica.values() == [61])
    store.stop(query)
  }

  @Test func `An anchored query on a replica delivers the primary's saves and deletions`()
    async throws
  {
    let first = beat(60)
    try await pair.primary.save([first])
    try await pair.settle()
    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var changes = feed.results(for: try pair.replica.store(subject: "ada")).makeAsyncIterator()
    #expect(try await changes.next()?.addedSamples.map(\.uuid) == [first.uuid])
    let second = beat(61, 1)
    try await pair.primary.save([second])
    #expect(try await changes.next()?.addedSamples.map(\.uuid) == [second.uuid])
    try await pair.primary.store(subject: "ada").delete([first])
    #expect(try await changes.next()?.deletedObjects.map(\.uuid) == [first.uuid])
  }

  @Test func `A replica's statistics equal the primary's, also after deletions`()
    async throws
  {
    let samples = (0..<100).map { beat(Double(50 + $0), Double($0)) }
    try await pair.primary.save(samples)
    try await pair.primary.store(subject: "ada").delete(Array(samples[..<50]))
    let query = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: heartRate), options: [.discreteAverage, .discreteMin])
    try await pair.settle()
    for router in [pair.primary, pair.replica] {
      let found = try #require(try await query.result(for: router.store(subject: "ada")))
      #expect(found.averageQuantity()?.doubleValue(for: perMinute) == 124.5)
      #expect(found.minimumQuantity()?.doubleValue(for: perMinute) == 100)
    }
  }

  @Test func `Each copy accepts the other's anchors`() async throws {
    try await pair.primary.save([beat(60)])
    let anchor = try await pair.primary.anchor()
    try await pair.primary.save([beat(61, 1)])
    try await pair.settle()
    let changes = try await pair.replica.changes(after: anchor)
    #expect(changes.addedSamples.count == 1)
    #expect(try await pair.primary.changes(after: changes.newAnchor).addedSamples.isEmpty)
    try await pair.primary.save([beat(62, 2)])
    #expect(try await pair.primary.changes(after: changes.newAnchor).addedSamples.count == 1)
  }

  @Test func `Every operation that saves fails on a replica and names the primary`() async throws {
    let sample = beat(60)
    try await pair.primary.save([sample])
    try await pair.settle()
    let before = try await pair.replica.anchor()
    for write in Write.all {
      let store = try pair.replica.store(subject: "ada")
      let error = await healthKitError { try await write.body(store, sample) }
      #expect(error?.code == .errorDatabaseInaccessible, "\(write.name)")
      #expect(
        error?.cause as? StoreError
          == .replica(path: "/replica-a", primary: "https://a.example"), "\(write.name)")
      #expect(error?.localizedDescription.contains("https://a.example") == true, "\(write.name)")
    }
    let error = await healthKitError { try await pair.replica.erase(subject: "ada") }
    #expect(error?.cause is StoreError)
    #expect(try await pair.replica.anchor() == before)
    // The address is taken from the newest map.
    try pair.replica.use(try pair.replica.map.naming(primary: "https://b.example", of: "a"))
    let later = await healthKitError { try await pair.replica.save([beat(1)]) }
    #expect(
      later?.cause as? StoreError == .replica(path: "/replica-a", primary: "https://b.example"))
  }

  @Test func `A replica leaves background delivery to the primary that registered it`()
    async throws
  {
    let store = try pair.primary.store(subject: "ada")
    try await store.enableBackgroundDelivery(for: heartRate, frequency: .daily)
    try await pair.primary.save([beat(60)])
    try await pair.settle()
    let open = try #require(pair.replica.state.withLock { $0.shards["a"] ?? nil })
    #expect(DeliveryScheduler.of(open.copy.database, clock: .system) == nil)
    let error = await healthKitError {
      _ = try await pair.replica.store(subject: "ada").backgroundDelivery(for: heartRate)
    }
    #expect(error?.cause is StoreError)
  }

  @Test func `Closing a handle does not close the router's store`() async throws {
    for router in [pair.primary, pair.replica] {
      for subject in ["", "ada"] {
        let store = try router.store(subject: subject)
        let error = await healthKitError { try await store.compact() }
        #expect(error?.code == .errorInvalidArgument)
        try await store.close()
      }
      #expect(try await router.values().isEmpty)
      #expect(try await router.storeStatistics(ofShard: "a").sampleCount == 0)
      _ = try await router.metrics(ofShard: "a")
      await #expect(throws: ShardError.unknownShard("z")) {
        try await router.backup(shard: "z", to: URL(fileURLWithPath: "/backup"))
      }
    }
    _ = try await pair.primary.compact(shard: "a")
  }
}
