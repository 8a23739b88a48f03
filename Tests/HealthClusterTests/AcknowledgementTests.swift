import Foundation
import SampleLog
import SampleLogReplication
import Testing

@testable import HealthCluster
@testable import HealthStore

/// The durability of a save through a router's health stores at the time that it reports success.
@Suite struct AcknowledgementTests {
  @Test func `A replicated save is in the stream when it reports success`() async throws {
    let pair = try Pair(.replicated)
    try await pair.primary.save([beat(60)])
    let open = try #require(pair.primary.state.withLock { $0.shards["a"] ?? nil })
    guard case .primary(let renewer) = open.copy else { return #expect(Bool(false)) }
    #expect(renewer.primary.publishedThrough == open.copy.database.end)
  }

  @Test func `A save with a copy is on the replica's disk when it reports success`() async throws {
    let pair = try Pair(.copies(1), timeout: 3600)
    try await pair.primary.save([beat(60)])
    #expect(try await pair.replica.values() == [60])
  }

  @Test func `A save without enough copies fails after it is stored locally`() async throws {
    let pair = try Pair(.copies(1))
    try pair.replica.close()
    let error = await healthKitError { try await pair.primary.save([beat(60)]) }
    #expect(error?.code == .errorDatabaseInaccessible)
    let end = try #require(pair.primary.status.first).end
    #expect(
      error?.cause as? ReplicationError == .notCopied(through: end, copies: 0, wanted: 1))
    #expect(try await pair.primary.values() == [60])
  }

  @Test func `A local save needs no stream`() async throws {
    let pair = try Pair(.local)
    pair.stream.isDown = true
    try await pair.primary.save([beat(60)])
    #expect(try await pair.primary.values() == [60])
    pair.stream.isDown = false
    try await pair.settle()
    #expect(try await pair.replica.values() == [60])
  }

  @Test func `A replicated save without the stream fails after it is stored locally`()
    async throws
  {
    let pair = try Pair(.replicated)
    try await pair.primary.save([beat(60)])
    pair.stream.isDown = true
    let sample = beat(61, 1)
    let error = await healthKitError { try await pair.primary.save([sample]) }
    #expect(error?.code == .errorDatabaseInaccessible)
    let end = try #require(pair.primary.status.first).end
    #expect(error?.cause as? ReplicationError == .notReplicated(through: end))
    #expect(error?.localizedDescription.contains("saved here") == true)
    #expect(try await pair.primary.values() == [60, 61])
    pair.stream.isDown = false
    try await pair.settle()
    #expect(try await pair.replica.values() == [60, 61])
  }

  @Test(arguments: Write.all.indices)
  func `Every operation that saves waits for the stream`(index: Int) async throws {
    let write = Write.all[index]
    let pair = try Pair(.replicated)
    let sample = beat(60)
    let store = try pair.primary.store(subject: "ada")
    try await store.save(sample)
    try await store.enableBackgroundDelivery(for: heartRate, frequency: .hourly)
    pair.stream.isDown = true
    // An unpublished commit makes operations that find nothing to do wait as well.
    _ = await healthKitError { try await pair.primary.save([beat(59, 59)], "bob") }
    let error = await healthKitError { try await write.body(store, sample) }
    #expect(error?.cause is ReplicationError, "\(write.name): \(String(describing: error))")
    #expect(try await pair.primary.values("bob") == [59])
    pair.stream.isDown = false
    try await store.save(beat(90, 90))
    try await pair.settle()
    #expect(try await pair.replica.values().contains(90))
  }

  @Test
  func `Erasing a person waits for the stream, and an operation's own error is reported unchanged`()
    async throws
  {
    let pair = try Pair(.replicated)
    let sample = beat(60)
    try await pair.primary.save([sample])
    pair.stream.isDown = true
    let known = await healthKitError { try await pair.primary.save([sample]) }
    #expect(known?.code == .errorInvalidArgument)
    let error = await healthKitError { try await pair.primary.erase(subject: "ada") }
    #expect(error?.cause is ReplicationError)
    #expect(try await pair.primary.values().isEmpty)
  }

  @Test func `Reading does not wait for the stream`() async throws {
    let pair = try Pair(.replicated)
    pair.stream.isDown = true
    let store = try pair.primary.store(subject: "ada")
    _ = await healthKitError { try await store.save(beat(60)) }
    #expect(try await pair.primary.values() == [60])
    #expect(try await store.backgroundDelivery(for: heartRate) == nil)
    #expect(try await store.sourceOrder(for: heartRate).isEmpty)
    #expect(try store.bloodType().bloodType == .notSet)
    #expect(try await store.preferredUnits(for: [heartRate]).count == 1)
    _ = try await pair.primary.storeStatistics(ofShard: "a")
  }

  @Test func `A replaced primary refuses to save and reports the reason`() async throws {
    let (changes, continuation) = AsyncStream<ShardStatus>.makeStream()
    let machines = Machines("a")
    let map = try Machines.map("a")
    let old = ShardRouter(map, acknowledgement: .replicated) { continuation.yield($0) }
    let new = ShardRouter(map)
    try machines.openPrimary("a", in: old)
    try machines.openReplica("a", of: old, in: new)
    try await old.save([beat(60)])
    try await new.promote("a", waitsForLease: false, atMost: 3600)
    let error = await healthKitError { try await old.save([beat(61, 1)]) }
    #expect(error?.code == .errorDatabaseInaccessible)
    guard case .fenced? = error?.cause as? StoreError else { return #expect(Bool(false)) }
    // The samples are in the old primary only, or nowhere if it learned of the new one first.
    let values = try await old.values()
    #expect(values == [60, 61] || values == [60])
    #expect(try await new.values() == [60])
    for await status in changes {
      guard case .fenced? = status.failure as? StoreError else { continue }
      #expect(status.role == .primary)
      break
    }
  }

  @Test func `An idle primary detects that it was replaced`() async throws {
    let (changes, continuation) = AsyncStream<ShardStatus>.makeStream()
    let machines = Machines("a")
    let old = ShardRouter(try Machines.map("a")) { continuation.yield($0) }
    let new = ShardRouter(old.map)
    try machines.openPrimary("a", in: old)
    try machines.openReplica("a", of: old, in: new)
    try await old.save([beat(60)])
    try await new.promote("a", waitsForLease: false, atMost: 3600)
    var next = changes.makeAsyncIterator()
    guard case .fenced? = await next.next()?.failure as? StoreError else {
      return #expect(Bool(false))
    }
    let error = await healthKitError { try await old.save([beat(61, 1)]) }
    #expect(error?.cause is StoreError)
    // The store refuses before it saves anything.
    #expect(try await old.values() == [60])
  }
}
