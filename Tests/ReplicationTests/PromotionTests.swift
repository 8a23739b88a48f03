import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

@Suite struct PromotionTests {
  private let stores = Stores()

  /// A primary with a commit that everybody has, and a replica.
  private func pair() throws -> (primary: Database, publisher: Publisher, replica: Replica) {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.replica("replica")
    try replica.follow()
    return (primary, publisher, replica)
  }

  private func open(promoted replica: Replica) throws -> Database {
    try replica.close()
    try Database.promote(replica.database.path, fileSystem: stores.files)
    return try stores.open(replica.database.path)
  }

  @Test func `A promoted replica saves, and the old primary is fenced`() throws {
    let (primary, publisher, replica) = try pair()
    try Promotion(replica).finish()
    let next = try open(promoted: replica)
    #expect(next.epoch != primary.epoch && next.term == 1)
    try next.save(2)
    try Publisher(next, stores.stream).publishAll()
    try primary.save(3)
    #expect(throws: StoreError.fenced(epoch: next.epoch)) { try publisher.publishAll() }
    #expect(throws: StoreError.fenced(epoch: next.epoch)) { try primary.save(4) }
    #expect(try next.values == [1, 2])
  }

  @Test func `Of two replicas that are promoted at once, one is`() throws {
    let (primary, _, replica) = try pair()
    try stores.makeReplica("other", fromBackupOf: primary).close()
    let old = OldAnswers(stores.stream, through: 1)
    let other = try stores.replica("other", old)
    try other.follow()
    try Promotion(replica).finish()
    // It has not heard of the other, as if both had asked before either appended.
    #expect(try Promotion(other).step() == .waiting)
    #expect(stores.stream.last == 2)
    old.end(through: .max)
    try other.follow()
    #expect(other.database.epoch == replica.database.epoch)
    #expect(try other.database.historyEnd == replica.database.historyEnd)
  }

  @Test func `A record that was sent without an answer is found, and not sent twice`() throws {
    let (_, _, replica) = try pair()
    let promotion = Promotion(replica)
    stores.stream.faults.silence = 1
    var steps = 0
    while stores.stream.last == 1, steps < 100 {
      #expect(try promotion.step() == .waiting)
      stores.stream.deliverLate()
      steps += 1
    }
    stores.stream.faults.silence = 0
    try promotion.finish()
    #expect(stores.stream.last == 2)
    #expect(replica.database.term == 1)
  }

  @Test func `An old primary without commits of its own becomes a replica where it is`() throws {
    let (primary, _, replica) = try pair()
    try Promotion(replica).finish()
    let next = try open(promoted: replica)
    try next.save(2)
    try Publisher(next, stores.stream).publishAll()
    try primary.close()
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result == RejoinResult())
    let old = try stores.replica("primary")
    try old.follow()
    #expect(try old.database.historyEnd == next.historyEnd)
    #expect(try old.database.values == [1, 2])
  }

  @Test func `Commits that only the old primary has are kept and reported, and anchors refused`()
    throws
  {
    let (primary, _, replica) = try pair()
    let shared = primary.anchor
    try primary.save(7)
    try primary.save(8)
    let lost = primary.anchor
    try Promotion(replica).finish()
    let next = try open(promoted: replica)
    try next.save(2)
    try next.save(3)
    try Publisher(next, stores.stream).publishAll()
    try primary.close()
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result == RejoinResult(unpublished: 2...3, kept: "kept"))
    let kept = try Database(path: "kept", mode: .readOnly, fileSystem: stores.files)
    #expect(try kept.values == [1, 7, 8])
    #expect(stores.files.list("primary") == [])

    #expect(try next.snapshot().changes(after: shared).changes.count == 2)
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 3, end: 1)) {
      try next.snapshot().changes(after: lost)
    }
    let follower = try stores.makeReplica("primary", fromBackupOf: next)
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 3, end: 1)) {
      try follower.has(lost)
    }
  }

  @Test func `A primary that nobody has replaced stays one`() throws {
    let (primary, _, _) = try pair()
    try primary.close()
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result == nil)
    try stores.open().save(2)
  }

  @Test func `A crash between the record and the mark leaves a replica that can be promoted`()
    throws
  {
    let (_, _, replica) = try pair()
    try Promotion(replica).finish()
    try replica.close()
    let again = try stores.replica("replica")
    try Promotion(again).finish()
    #expect(again.database.term == 2)
    #expect(try open(promoted: again).values == [1])
  }
}
