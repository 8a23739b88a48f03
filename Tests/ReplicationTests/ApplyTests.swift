import Testing

@testable import SampleLog
@testable import SampleLogReplication

/// Applying another copy's commits to a store.
@Suite struct ApplyTests {
  private let stores = Stores()

  /// The commits of a store after a sequence number, as messages contain them.
  private func commits(_ database: Database, after last: UInt64 = 0) throws -> LogTail.Commits {
    var tail = try LogTail(database, after: last)
    return try #require(try tail.next(byteLimit: .max))
  }

  private func apply(_ commits: LogTail.Commits, to database: Database) throws {
    try database.apply(
      commits.frames, of: commits.epoch, after: commits.before.chain, floor: 0)
  }

  private func emptyReplica(
    of primary: Database, _ path: String = "replica"
  ) throws -> Database {
    try stores.makeReplica(path, of: primary)
    return try stores.open(path) { $0.primaryName = "the primary" }
  }

  @Test func `Applied commits keep their sequence numbers, rows and chain`() throws {
    let primary = try stores.open()
    let ids = try primary.save(1, 2)
    try primary.save(3)
    try primary.delete(ids[0])
    let replica = try emptyReplica(of: primary)
    try apply(try commits(primary), to: replica)
    #expect(replica.end == primary.end)
    #expect(try replica.historyEnd == primary.historyEnd)
    #expect(try replica.values == [2, 3])
    #expect(try replica.snapshot().row(ids[1])?.sequence == 2)
    try replica.checkInvariants()
  }

  @Test func `Different commits give different chains`() throws {
    let (one, other) = (try stores.open("one"), try stores.open("other"))
    try one.save(1)
    try other.save(2)
    #expect(try commits(one).frames[0].header.count == commits(other).frames[0].header.count)
    var (first, second) = (HistoryChain(value: 5), HistoryChain(value: 5))
    first.append(try commits(one).frames[0].header)
    second.append(try commits(other).frames[0].header)
    #expect(first != second)
  }

  @Test func `A gap in the sequence numbers is refused and writes nothing`() throws {
    let primary = try stores.open()
    try primary.save(1)
    try primary.save(2)
    let replica = try emptyReplica(of: primary)
    #expect(throws: StoreError.gap(end: 0, next: 2)) {
      try apply(try commits(primary, after: 1), to: replica)
    }
    #expect(replica.end == 0)
  }

  @Test func `Commits of another history are refused`() throws {
    let primary = try stores.open()
    try primary.save(1)
    let replica = try emptyReplica(of: primary)
    try apply(try commits(primary), to: replica)
    let other = try stores.open("other")
    try other.save(9)
    try other.save(10)
    #expect(throws: StoreError.diverged(sequence: 2)) {
      try apply(try commits(other, after: 1), to: replica)
    }
    #expect(throws: StoreError.diverged(sequence: 1)) {
      try apply(try commits(primary), to: replica)
    }
    #expect(try replica.values == [1])
  }

  @Test func `An epoch that does not continue the store's own is refused`() throws {
    let primary = try stores.open()
    let (one, other) = (try emptyReplica(of: primary, "one"), try emptyReplica(of: primary, "two"))
    // Both begin an epoch at the same time, with records of equal bytes.
    for replica in [one, other] { try begin(replica.epochStart(), on: replica) }
    #expect(try one.historyEnd == other.historyEnd)
    #expect(one.epoch != other.epoch)
    #expect(throws: StoreError.diverged(sequence: 2)) {
      try begin(other.epochStart(), on: one)
    }
    try one.close()
    #expect(try stores.open("one") { $0.primaryName = "the primary" }.end == 1)
  }

  private func begin(_ epoch: EpochProposal, on replica: Database) throws {
    try replica.apply([epoch.frame], of: epoch.epoch, after: epoch.before.chain, floor: 0)
  }

  @Test func `A replica refuses to save and names its primary`() throws {
    let primary = try stores.open()
    let replica = try emptyReplica(of: primary)
    let refusal = StoreError.replica(path: "replica", primary: "the primary")
    #expect(throws: refusal) { try replica.save(1) }
    #expect(throws: refusal) { try replica.acknowledge("mirror", through: 0) }
    try replica.close()
    #expect(throws: refusal) { try stores.open("replica") }
  }

  @Test func `A store that is not a replica refuses the commits of another copy`() throws {
    let primary = try stores.open()
    try primary.save(1)
    let other = try stores.open("other")
    #expect(throws: StoreError.self) { try apply(try commits(primary), to: other) }
    #expect(throws: StoreError.invalid("primary is not a replica.")) {
      try primary.close()
      return try stores.open { $0.primaryName = "another" }
    }
  }

  @Test func `An erasure removes the same rows as on the primary`() throws {
    let primary = try stores.open()
    try primary.save(1, 2, subject: "ben")
    try primary.save(3)
    try primary.erase(primary.symbols.intern("ben"))
    try primary.save(4, subject: "ben")
    let replica = try emptyReplica(of: primary)
    try apply(try commits(primary), to: replica)
    #expect(try replica.values == [3, 4])
    try replica.checkInvariants()
    try replica.close()
    let again = try stores.open("replica") { $0.primaryName = "the primary" }
    #expect(try again.values == [3, 4])
  }

  @Test func `Observers and feeds of a replica are notified of applied commits`() throws {
    let primary = try stores.open()
    let replica = try emptyReplica(of: primary)
    let key = SeriesKey(
      subject: replica.symbols.intern("ada"), type: replica.symbols.intern("heartRate"))
    let count = Locked(0)
    let feed = try ChangeFeed(replica, after: .beginning, of: SeriesSelection([key])) {
      count.withLock { $0 += 1 }
    }
    while try feed.next() != nil {}
    try primary.save(1)
    try apply(try commits(primary), to: replica)
    #expect(count.withLock { $0 } == 1)
    #expect(try feed.next()?.changes.count == 1)
  }

  @Test func `Applied commits survive sealing, compaction and reopening`()
    throws
  {
    let primary = try stores.open()
    let ids = try primary.save(1, 2)
    let replica = try emptyReplica(of: primary)
    try apply(try commits(primary), to: replica)
    try replica.seal()
    try primary.delete(ids[0])
    try apply(try commits(primary, after: 2), to: replica)
    try replica.compact()
    try replica.close()
    let again = try stores.open("replica") { $0.primaryName = "the primary" }
    #expect(try again.historyEnd == primary.historyEnd)
    #expect(try again.values == [2])
    try primary.save(3)
    try apply(try commits(primary, after: 3), to: again)
    #expect(try again.values == [2, 3])
  }

  @Test func `A replica forgets no deletion that its primary retains`() throws {
    let primary = try stores.open { $0.deletionRetention = .seconds(1e9) }
    let ids = try primary.save(1, 2)
    try primary.delete(ids[0])
    try stores.makeReplica("replica", of: primary)
    let replica = try stores.open("replica") {
      $0.primaryName = "the primary"
      $0.deletionRetention = .seconds(0)
      $0.clock = { 1_000_001 }
    }
    let all = try commits(primary)
    try apply(all, to: replica)
    try replica.compact()
    #expect(replica.snapshot().floor == 0)
    try primary.save(3)
    let more = try commits(primary, after: 3)
    // The primary has forgotten the deletion by now.
    try replica.apply(more.frames, of: 1, after: more.before.chain, floor: 3)
    try replica.compact()
    #expect(replica.snapshot().floor == 3)
  }

  @Test func `A replica forgets no erasure that its primary retains`() throws {
    let primary = try stores.open { $0.deletionRetention = .seconds(1e9) }
    try primary.save(1, 2)
    try stores.makeReplica("replica", of: primary)
    let replica = try stores.open("replica") {
      $0.primaryName = "the primary"
      $0.deletionRetention = .seconds(0)
      $0.clock = { 1_000_001 }
    }
    try apply(try commits(primary), to: replica)
    // Leaves two segments to merge.
    try replica.seal()
    let erasure = try #require(try primary.erase(primary.symbols.intern("ada")).sequence)
    try apply(try commits(primary, after: 2), to: replica)
    #expect(try replica.compact().segmentsBefore == 2)
    #expect(replica.snapshot().erasures.count == 1)
    try primary.save(3)
    let more = try commits(primary, after: erasure)
    // The primary has forgotten the erasure by now.
    try replica.apply(more.frames, of: 1, after: more.before.chain, floor: erasure)
    try replica.compact()
    #expect(replica.snapshot().erasures.isEmpty)
  }
}
