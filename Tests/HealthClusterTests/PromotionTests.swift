import Foundation
import SampleLog
import SampleLogReplication
import Testing

@testable import HealthCluster
@testable import HealthStore

/// Moving a shard: promotion within a running process, and waiting for commits that have not
/// arrived.
@Suite struct PromotionTests {
  @Test
  func `A promoted replica saves and accepts anchors from before its promotion`() async throws {
    let pair = try Pair()
    try await pair.primary.save([beat(60)])
    let anchor = try await pair.primary.anchor()
    try await pair.primary.save([beat(61, 1)])
    try await pair.settle()
    let before = try pair.replica.store(subject: "ada")
    pair.stream.holder = nil
    try pair.primary.close()
    pair.stream.holder = nil
    try await pair.replica.promote("a", atMost: 3600)
    #expect(pair.replica.status.map(\.role) == [.primary])
    let closed = await healthKitError { try await before.save(beat(1)) }
    #expect(closed?.cause as? StoreError == .closed)
    try await pair.replica.save([beat(62, 2)])
    let changes = try await pair.replica.changes(after: anchor)
    #expect(changes.addedSamples.count == 2)

    // The old primary rejoins as a replica, with all samples and the new primary's anchors.
    let result = try Replica.rejoin(
      "/primary-a", as: "https://b.example", transport: pair.stream, keeping: "/kept",
      options: Machines.options, fileSystem: pair.machines.files)
    #expect(result != nil)
    #expect(result?.unpublished == nil)
    let old = ShardRouter(try pair.replica.map.naming(primary: "https://b.example", of: "a"))
    try old.open(pair.machines.place("a", at: "/primary-a"), as: .replica)
    try await old.wait(for: changes.newAnchor, of: "ada", atMost: 3600)
    #expect(try await old.values() == [60, 61, 62])
    #expect(try await old.changes(after: changes.newAnchor).addedSamples.isEmpty)
    let error = await healthKitError { try await old.save([beat(3)]) }
    #expect(
      error?.cause as? StoreError == .replica(path: "/primary-a", primary: "https://b.example"))
  }

  @Test func `A running query of a promoted replica ends with an error`() async throws {
    let pair = try Pair()
    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var changes = feed.results(for: try pair.replica.store(subject: "ada")).makeAsyncIterator()
    _ = try await changes.next()
    try await pair.replica.promote("a", waitsForLease: false, atMost: 3600)
    let error = await healthKitError { _ = try await changes.next() }
    #expect(error?.cause as? StoreError == .closed)
  }

  @Test func `A replica behind another one is not promoted and continues to follow`() async throws {
    let pair = try Pair()
    try await pair.primary.save([beat(60)])
    try await pair.settle()
    let shard = try #require(pair.replica.state.withLock { $0.shards["a"] ?? nil })
    let database = shard.copy.database
    let report = ReplicaReport(
      storeID: database.storeID, epoch: database.epoch, term: database.term, last: 1000,
      chain: try database.historyEnd.chain)
    try pair.stream.report(report.encoded, from: "another")
    let end = database.end
    await #expect(throws: ReplicationError.behind(replica: "another", last: 1000, end: end)) {
      try await pair.replica.promote("a", waitsForLease: false, atMost: 3600)
    }
    try await pair.primary.save([beat(61, 1)])
    try await pair.settle()
    #expect(try await pair.replica.values() == [60, 61])
  }

  @Test
  func `A primary with a lease is not replaced, and the replica continues to follow`() async throws
  {
    let pair = try Pair()
    pair.stream.holder = "another"
    await #expect(throws: ShardError.hasPrimary(shard: "a")) {
      try await pair.replica.promote("a", atMost: 0)
    }
    try await pair.primary.save([beat(60)])
    try await pair.settle()
    #expect(try await pair.replica.values() == [60])
    #expect(pair.replica.status.map(\.role) == [.replica])
  }

  @Test
  func `A promotion that the stream does not confirm leaves the store a replica`() async throws {
    let pair = try Pair()
    pair.stream.isDown = true
    await #expect(throws: ShardError.notPromoted(shard: "a")) {
      try await pair.replica.promote("a", waitsForLease: false, atMost: 0)
    }
    pair.stream.isDown = false
    try await pair.primary.save([beat(60)])
    try await pair.settle()
    try await pair.replica.promote("a", waitsForLease: false, atMost: 3600)
    try await pair.replica.save([beat(61, 1)])
    #expect(try await pair.replica.values() == [60, 61])
  }

  @Test func `Only a replica can be promoted, and only once`() async throws {
    let pair = try Pair()
    await #expect(throws: ShardError.notAReplica(shard: "a")) {
      try await pair.primary.promote("a", atMost: 3600)
    }
    await #expect(throws: ShardError.notAReplica(shard: "z")) {
      try await pair.replica.promote("z", atMost: 3600)
    }
    try await pair.replica.promote("a", waitsForLease: false, atMost: 3600)
    await #expect(throws: ShardError.notAReplica(shard: "a")) {
      try await pair.replica.promote("a", atMost: 3600)
    }
  }

  // MARK: Waiting

  @Test
  func `A client reads from a replica the sample that it saved on the primary`() async throws {
    let pair = try Pair()
    for number in 0..<20 {
      try await pair.primary.save([beat(Double(number), Double(number))])
      let anchor = try await pair.primary.anchor()
      try await pair.replica.wait(for: anchor, of: "ada", atMost: 3600)
      #expect(try await pair.replica.values().count == number + 1)
      try await pair.primary.wait(for: anchor, of: "ada", atMost: 0)
    }
  }

  @Test func `Waiting for a commit that does not arrive ends with an error`() async throws {
    let pair = try Pair()
    pair.stream.isDown = true
    try await pair.primary.save([beat(60)])
    let anchor = try await pair.primary.anchor()
    await #expect(throws: ReplicationError.self) {
      try await pair.replica.wait(for: anchor, of: "ada", atMost: 0)
    }
    let waiting = Task { try await pair.replica.wait(for: anchor, of: "ada", atMost: 3600) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let closing = Task { try await pair.replica.wait(for: anchor, of: "ada", atMost: 3600) }
    try pair.replica.close("a")
    await #expect(throws: (any Error).self) { try await closing.value }
  }

  @Test func `An anchor of another store is refused at once`() async throws {
    let pair = try Pair()
    let other = try Pair()
    try await other.primary.save([beat(60)])
    let anchor = try await other.primary.anchor()
    for router in [pair.primary, pair.replica] {
      await #expect(throws: StoreError.anchorOfAnotherStore) {
        try await router.wait(for: anchor, of: "ada", atMost: 3600)
      }
    }
  }

  // MARK: Errors

  @Test func `A replica reports an error of its stream and retries`() async throws {
    let (changes, continuation) = AsyncStream<ShardStatus>.makeStream()
    let machines = Machines("a")
    let map = try Machines.map("a")
    let primary = ShardRouter(map)
    let replica = ShardRouter(map) { continuation.yield($0) }
    try machines.openPrimary("a", in: primary)
    try machines.openReplica("a", of: primary, in: replica)
    var next = changes.makeAsyncIterator()
    machines.stream("a").isDown = true
    #expect(await next.next()?.failure is StreamIsDown)
    machines.stream("a").isDown = false
    let after = try #require(await next.next())
    #expect(after.failure == nil)
    #expect(!after.needsBackup)
    try await primary.save([beat(60)])
    try await replica.wait(for: try await primary.anchor(), of: "ada", atMost: 3600)
  }

  @Test
  func `A replica that needs a backup reports it, answers reads, and can be rebuilt`() async throws
  {
    let (changes, continuation) = AsyncStream<ShardStatus>.makeStream()
    let machines = Machines("a")
    let map = try Machines.map("a")
    let primary = ShardRouter(map, acknowledgement: .replicated)
    try machines.openPrimary("a", in: primary)
    try await primary.save([beat(60)])
    let database = try #require(primary.state.withLock { $0.shards["a"] ?? nil }).copy.database
    try database.backup(to: "/backup")
    try await primary.save([beat(61, 1)])
    // The stream begins after the position of an empty replica.
    let stream = machines.stream("a")
    try stream.trim(through: 1)
    let replica = ShardRouter(map) { continuation.yield($0) }
    try machines.openReplica("a", of: primary, in: replica, at: "/replica")
    var next = changes.makeAsyncIterator()
    let status = try #require(await next.next())
    #expect(status.needsBackup)
    #expect(status.failure is ReplicationError)
    #expect(try await replica.values().isEmpty)
    await #expect(throws: ReplicationError.self) {
      try await replica.wait(for: try await primary.anchor(), of: "ada", atMost: 3600)
    }
    try replica.close("a")
    try Replica.discard("/replica", fileSystem: machines.files)
    try Replica.make(from: "/backup", at: "/replica", of: "a", fileSystem: machines.files)
    try replica.open(machines.place("a", at: "/replica"), as: .replica)
    try await replica.wait(for: try await primary.anchor(), of: "ada", atMost: 3600)
    #expect(try await replica.values() == [60, 61])
  }
}
