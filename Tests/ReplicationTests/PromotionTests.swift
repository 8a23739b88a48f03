import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

@Suite struct PromotionTests {
  private let stores = Stores()

  /// A primary with a replicated commit, and its replica.
  private func pair() throws -> (primary: Database, publisher: Publisher, replica: Replica) {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.replica("replica")
    try replica.catchUp()
    return (primary, publisher, replica)
  }

  @Test func `A promoted replica accepts commits, and the old primary is fenced`() throws {
    let (primary, publisher, replica) = try pair()
    try Promotion(replica).finish()
    let next = try stores.open(promoted: replica)
    #expect(next.epoch != primary.epoch && next.term == 1)
    try next.save(2)
    try Publisher(next, stores.stream).publishAll()
    try primary.save(3)
    #expect(throws: StoreError.fenced(epoch: next.epoch)) { try publisher.publishAll() }
    #expect(throws: StoreError.fenced(epoch: next.epoch)) { try primary.save(4) }
    #expect(try next.values == [1, 2])
  }

  @Test func `Of two concurrent promotions exactly one succeeds`() throws {
    let (primary, _, replica) = try pair()
    try stores.makeReplica("other", fromBackupOf: primary).close()
    let old = OldAnswers(stores.stream, through: 1)
    let other = try stores.replica("other", old)
    try other.catchUp()
    try Promotion(replica).finish()
    // The stream has not answered it yet, as if both had asked before either appended.
    #expect(try Promotion(other).step() == .waiting)
    #expect(stores.stream.last == 2)
    old.end(through: .max)
    try other.catchUp()
    #expect(other.database.epoch == replica.database.epoch)
    #expect(try other.database.historyEnd == replica.database.historyEnd)
  }

  @Test func `A record whose append got no answer is found and not appended again`() throws {
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

  @Test
  func `A replica's commits that the stream lost are appended before the new epoch begins`() throws
  {
    let (primary, publisher, replica) = try pair()
    try primary.save(2)
    try publisher.publishAll()
    try replica.catchUp()
    stores.stream.truncate(1)
    try Promotion(replica).finish()
    #expect(stores.stream.last == 3)
    try stores.makeReplica("new", of: primary)
    let new = try stores.replica("new")
    try new.catchUp()
    #expect(try new.database.historyEnd == replica.database.historyEnd)
    #expect(try new.database.values == [1, 2])
    // The old primary may publish the same commits, and is fenced nevertheless.
    #expect(throws: StoreError.fenced(epoch: replica.database.epoch)) {
      publisher.check()
      try publisher.publishAll()
    }
  }

  @Test func `A promotion restores an epoch that the stream has lost`() throws {
    let (primary, publisher, replica) = try pair()
    let other = try stores.makeReplica("other", fromBackupOf: primary)
    try Promotion(replica).finish()
    try other.catchUp()
    let epoch = other.database.epoch
    stores.stream.truncate(1)
    // The old primary does not learn that it was replaced, and the new one does not return.
    try primary.save(7)
    try primary.save(8)
    publisher.check()
    try publisher.publishAll()
    try Promotion(other).finish()
    #expect(other.database.earlierEpochs.map(\.epoch) == [1, epoch])
    #expect(throws: StoreError.fenced(epoch: other.database.epoch)) {
      try primary.save(9)
      try publisher.publishAll()
    }
    #expect(try other.database.values == [1])
  }

  @Test func `A promotion is abandoned after part of a commit of a newer epoch`() throws {
    let (primary, _, replica) = try pair()
    try primary.save(2)
    var tail = try LogTail(primary, after: 1)
    let commits = try #require(try tail.next(byteLimit: .max))
    let writer = Writer(storeID: primary.storeID, epoch: 99, term: 1, epochFirst: 3)
    let parts = Message.messages(of: commits, writer: writer, floor: 0, limit: 64)
    try #require(parts.count > 1)
    _ = try stores.stream.append(parts[0].encoded, expecting: 1)
    let promotion = Promotion(replica)
    #expect(throws: ReplicationError.unfinished(epoch: 99)) { try promotion.finish() }
    for part in parts[1...] {
      _ = try stores.stream.append(part.encoded, expecting: stores.stream.last)
    }
    try replica.catchUp()
    #expect(try replica.database.values == [1, 2])
  }

  @Test func `A late record after another epoch of its term fences no writer`() throws {
    let (primary, _, replica) = try pair()
    let other = try stores.makeReplica("other", fromBackupOf: primary)
    try other.catchUp()
    try Promotion(replica).finish()
    let next = try stores.open(promoted: replica)
    let publisher = Publisher(next, stores.stream)
    try next.save(2)
    try publisher.publishAll()
    let record = try other.database.epochStart()
    let writer = Writer(
      storeID: next.storeID, epoch: record.epoch, term: record.term,
      epochFirst: record.frame.first)
    let commits = LogTail.Commits(
      frames: [record.frame], epoch: record.epoch, before: record.before)
    for message in Message.messages(of: commits, writer: writer, floor: 0) {
      let outcome = try stores.stream.append(message.encoded, expecting: stores.stream.last)
      #expect(outcome == .accepted(stores.stream.last))
    }
    try next.save(3)
    try publisher.publishAll()
    try Publisher(next, stores.stream).publishAll()
    try other.catchUp()
    #expect(try other.database.historyEnd == next.historyEnd)
    #expect(try other.database.values == [1, 2, 3])
  }

  @Test func `A record accepted in place of a lost message promotes no replica`() throws {
    let (primary, publisher, other) = try pair()
    let late = LateAppends(stores.stream)
    try stores.makeReplica("late", of: primary)
    let replica = try stores.replica("late", late)
    try primary.save(2)
    try publisher.publishAll()
    try replica.catchUp()
    let promotion = Promotion(replica)
    #expect(try promotion.step() == .waiting)
    // The stream loses the last message before the record, and another takes its place.
    stores.stream.truncate(1)
    try Promotion(other).finish()
    #expect(try late.deliver() == .accepted(3))
    #expect(try promotion.step() == .waiting)
    #expect(replica.database.term == 0)
    #expect(throws: ReplicationError.needsBackup(end: 2)) { try promotion.finish() }
  }

  @Test func `An old primary without unreplicated commits rejoins in place`() throws {
    let (primary, _, replica) = try pair()
    try Promotion(replica).finish()
    let next = try stores.open(promoted: replica)
    try next.save(2)
    try Publisher(next, stores.stream).publishAll()
    try primary.close()
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result == RejoinResult())
    let old = try stores.replica("primary")
    try old.catchUp()
    #expect(try old.database.historyEnd == next.historyEnd)
    #expect(try old.database.values == [1, 2])
  }

  @Test
  func `A rejoining primary keeps and reports its unreplicated commits and refuses their anchors`()
    throws
  {
    let (primary, _, replica) = try pair()
    let shared = primary.anchor
    try primary.save(7)
    try primary.save(8)
    let lost = primary.anchor
    try Promotion(replica).finish()
    let next = try stores.open(promoted: replica)
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

  @Test func `An anchor of the next primary is not lost in a replica that is behind`() throws {
    let (primary, _, replica) = try pair()
    let other = try stores.makeReplica("other", fromBackupOf: primary)
    try other.catchUp()
    let end = other.database.end
    try Promotion(replica).finish()
    let next = try stores.open(promoted: replica)
    try next.save(2)
    try Publisher(next, stores.stream).publishAll()
    #expect(throws: StoreError.notHereYet(anchor: next.end, end: end)) {
      try other.database.snapshot().changes(after: next.anchor)
    }
    try other.catchUp()
    #expect(try other.database.snapshot().changes(after: next.anchor).changes.isEmpty)
    // A copy whose epoch the replica still does not know is not its primary.
    let stranger = Anchor(
      sequence: 1, origin: Anchor.Origin(storeID: next.storeID, epoch: next.epoch &+ 1))
    #expect(throws: StoreError.anchorOfAnotherStore) {
      try other.database.snapshot().changes(after: stranger)
    }
    let reader = try Database(path: "other", mode: .readOnly, fileSystem: stores.files)
    #expect(throws: StoreError.notHereYet(anchor: next.end + 1, end: next.end)) {
      try reader.snapshot().changes(after: next.anchor(at: next.end + 1))
    }
    // A primary has nothing to wait for.
    #expect(throws: StoreError.anchorFromTheFuture(anchor: next.end + 1, end: next.end)) {
      try next.snapshot().changes(after: next.anchor(at: next.end + 1))
    }
  }

  @Test func `A primary that was not replaced stays a primary`() throws {
    let (primary, _, _) = try pair()
    try primary.close()
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result == nil)
    try stores.open().save(2)
  }

  @Test func `A crash between the record and the marker leaves a replica that can be promoted`()
    throws
  {
    let (_, _, replica) = try pair()
    try Promotion(replica).finish()
    try replica.close()
    let again = try stores.replica("replica")
    try Promotion(again).finish()
    #expect(again.database.term == 2)
    #expect(try stores.open(promoted: again).values == [1])
  }
}
