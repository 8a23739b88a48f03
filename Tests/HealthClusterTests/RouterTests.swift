import Foundation
import SampleLog
import SampleLogReplication
import Testing

@testable import HealthCluster
@testable import HealthStore

/// The store that a router returns for a person.
@Suite struct RouterTests {
  @Test func `Each person's data is in one shard only`() async throws {
    let machines = Machines("a", "b")
    let router = ShardRouter(try Machines.map("a", "b"))
    try machines.openPrimary("a", in: router)
    try machines.openPrimary("b", in: router)
    let subjects = (0..<200).map { "person-\($0)" }
    for (number, subject) in subjects.enumerated() {
      try await router.save([beat(Double(number))], subject)
    }
    for (number, subject) in subjects.enumerated() {
      #expect(try await router.values(subject) == [Double(number)])
    }
    let found = try await router.subjects().mapValues { Set($0.map(\.subject)) }
    for name in ["a", "b"] {
      let expected = subjects.filter { router.map.shard(of: $0).name == name }
      #expect(found[name] == Set(expected))
      #expect(expected.count > 60)
      let totals = try await router.cohort(ofShard: name).totals(
        of: .quantitySample(type: heartRate), groupedBy: .subject)
      #expect(totals.count == expected.count)
    }
    try router.close()
  }

  @Test func `A person of a remote shard gets an address in place of a store`()
    async throws
  {
    let machines = Machines("a", "b")
    let router = ShardRouter(try Machines.map("a", "b"))
    try machines.openPrimary("a", in: router)
    let names = (0..<100).map { "p\($0)" }
    let subject = try #require(names.first { router.map.shard(of: $0).name == "b" })
    let elsewhere = ShardError.elsewhere(shard: "b", primary: "https://b.example")
    #expect(throws: elsewhere) { try router.store(subject: subject) }
    await #expect(throws: elsewhere) { try await router.erase(subject: subject) }
    #expect(throws: elsewhere) { try router.cohort(ofShard: "b") }
    #expect("\(elsewhere)".contains("https://b.example"))
    try router.use(try router.map.naming(primary: "https://c.example", of: "b"))
    #expect(throws: ShardError.elsewhere(shard: "b", primary: "https://c.example")) {
      try router.store(subject: subject)
    }
  }

  @Test func `A map that would lose people is refused unless forced`() throws {
    let router = ShardRouter(try Machines.map("a", "b", version: 3))
    let moved = try Machines.map("b", "a", version: 4)
    #expect(throws: ShardMapError.self) { try router.use(moved) }
    #expect(router.map.version == 3)
    #expect(throws: ShardError.outdatedMap(version: 3, current: 3)) {
      try router.use(try Machines.map("b", "a", version: 3), isForced: true)
    }
    try router.use(try Machines.map("a", "b", version: 3))
    try router.use(moved, isForced: true)
    #expect(router.map == moved)
  }

  @Test func `A map without a shard that is open is refused`() throws {
    let machines = Machines("a", "b")
    let router = ShardRouter(try Machines.map("a", "b"))
    try machines.openPrimary("a", in: router)
    #expect(throws: ShardError.isOpen(shard: "a")) {
      try router.use(try Machines.map("b", "c", version: 2), isForced: true)
    }
  }

  @Test func `A directory with another store than the map names is refused and not published`()
    async throws
  {
    let machines = Machines("a", "b")
    let first = ShardRouter(try Machines.map("a", "b"))
    try machines.openPrimary("a", in: first)
    try machines.openPrimary("b", in: first)
    try await first.save([beat(60)], "ada")
    let ids = try ["a", "b"].map { name in
      try #require(first.state.withLock { $0.shards[name] ?? nil }).copy.database.storeID
    }
    try first.close()
    let shards = zip(["a", "b"], ids).map { Shard(name: $0, primary: $0, storeID: $1) }
    let router = ShardRouter(try ShardMap(shards: shards))
    let empty = MemoryStream()
    var place = machines.place("b", at: "/primary-a")
    place.transport = empty
    #expect(throws: ShardError.wrongStore(shard: "b", expected: ids[1], found: ids[0])) {
      try router.open(place, as: .primary)
    }
    #expect(try empty.end() == 0)
    // A missing directory is not created.
    #expect(throws: StoreError.self) {
      try router.open(machines.place("b", at: "/mistake"), as: .primary)
    }
    #expect(machines.files.list("/mistake") == nil)
    try machines.openPrimary("b", in: router)
    try machines.openPrimary("a", in: router)
    #expect(try await router.values() == [60])
  }

  @Test func `A shard is opened once, and only in the role of its directory`() async throws {
    let pair = try Pair()
    #expect(throws: ShardError.isOpen(shard: "a")) {
      try pair.machines.openPrimary("a", in: pair.primary)
    }
    #expect(throws: ShardError.unknownShard("z")) {
      try pair.machines.openPrimary("z", in: pair.primary)
    }
    let other = ShardRouter(pair.primary.map)
    #expect(throws: StoreError.self) { try pair.machines.openPrimary("a", in: other) }
    try pair.replica.close("a")
    #expect(throws: ShardError.elsewhere(shard: "a", primary: "https://a.example")) {
      try pair.replica.store(subject: "ada")
    }
    #expect(throws: StoreError.replica(path: "/replica-a", primary: "the old primary")) {
      try pair.machines.openPrimary("a", in: other, at: "/replica-a")
    }
    // A failed opening does not block the shard.
    try pair.primary.close("a")
    try pair.machines.openPrimary("a", in: other)
    #expect(throws: ShardError.elsewhere(shard: "a", primary: "https://a.example")) {
      try pair.primary.close("a")
    }
    #expect(throws: ShardError.unknownShard("z")) { try pair.primary.close("z") }
  }

  @Test func `Objects remain usable after their router is released`() async throws {
    let machines = Machines("a")
    var primary: ShardRouter? = ShardRouter(try Machines.map("a"), acknowledgement: .replicated)
    var replica: ShardRouter? = ShardRouter(try Machines.map("a"))
    try machines.openPrimary("a", in: try #require(primary))
    try machines.openReplica("a", of: try #require(primary), in: try #require(replica))
    let store = try #require(try primary?.store(subject: "ada"))
    let reading = try #require(try replica?.store(subject: "ada"))
    (primary, replica) = (nil, nil)
    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var changes = feed.results(for: reading).makeAsyncIterator()
    #expect(try await changes.next()?.addedSamples.count == 0)
    try await store.save(beat(60))
    #expect(try await changes.next()?.addedSamples.count == 1)
    let error = await healthKitError { try await reading.save(beat(61)) }
    #expect(
      error?.cause as? StoreError == .replica(path: "/replica-a", primary: "https://a.example"))
  }

  @Test func `Objects of a closed router report that it is closed`() async throws {
    let pair = try Pair()
    for router in [pair.primary, pair.replica] {
      let store = try router.store(subject: "ada")
      try router.close()
      try router.close()
      let error = await healthKitError { try await store.save(beat(60)) }
      #expect(error?.cause is StoreError)
      #expect(throws: ShardError.closed) { try router.store(subject: "ada") }
      #expect(throws: ShardError.closed) { try pair.machines.openPrimary("a", in: router) }
      #expect(router.status.isEmpty)
    }
  }
}
