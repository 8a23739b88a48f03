import SampleLog
import Testing

@testable import SampleLogReplication
@testable import SampleLogSimulation

/// Writers that another one has replaced, or that were promoted at the same time.
@Suite struct FencingTests {
  private let stores = Stores()

  private var last: UInt64 { stores.stream.last }

  /// A primary that has published the value 1, and replicas with it.
  private func cluster(_ names: String...) throws -> (Database, Publisher, [Replica]) {
    let primary = try stores.open()
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    let replicas = try names.map { name in
      let replica = try stores.makeReplica(name, fromBackupOf: primary)
      try replica.catchUp()
      return replica
    }
    return (primary, publisher, replicas)
  }

  /// Two primaries of the same term; only the first one's record is in the stream.
  private func rivals() throws -> (first: Database, second: Database, fork: SimulatedStream) {
    let (_, _, replicas) = try cluster("first", "second")
    let fork = try stores.fork()
    try replicas[1].close()
    let second = try stores.replica("second", fork)
    try Promotion(second).finish()
    try Promotion(replicas[0]).finish()
    let rivals = (
      first: try stores.open(promoted: replicas[0]), second: try stores.open(promoted: second), fork
    )
    try #require(rivals.first.term == 1 && rivals.second.term == 1)
    try #require(rivals.first.epoch != rivals.second.epoch)
    return rivals
  }

  /// Appends a message in the name of no particular writer.
  private func append(_ bytes: [UInt8]) throws {
    #expect(try stores.stream.append(bytes, expecting: last) == .accepted(last))
  }

  /// The messages with the commits of a store after a position.
  private func messages(_ database: Database, after position: UInt64) throws -> [[UInt8]] {
    var tail = try LogTail(database, after: position)
    let writer = Writer(
      storeID: database.storeID, epoch: database.epoch, term: database.term,
      epochFirst: database.epochFirst)
    var messages: [[UInt8]] = []
    while let commits = try tail.next(byteLimit: .max) {
      messages += Message.messages(of: commits, writer: writer, floor: 0).map(\.encoded)
    }
    return messages
  }

  private func expectFenced(
    _ database: Database, by epoch: UInt32, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = last
    #expect(throws: StoreError.fenced(epoch: epoch), sourceLocation: location) {
      try Publisher(database, stores.stream).publishAll()
    }
    #expect(throws: StoreError.fenced(epoch: epoch), sourceLocation: location) {
      try database.save(99)
    }
    #expect(last == before, sourceLocation: location)
  }

  /// Expects that a new replica has the history and the values of a store.
  private func expectReplicas(
    have values: [Double], of database: Database, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let path = "new at \(last)"
    try stores.makeReplica(path, of: database)
    let replica = try stores.replica(path)
    try replica.catchUp()
    #expect(try replica.database.historyEnd == database.historyEnd, sourceLocation: location)
    #expect(try replica.database.values == values, sourceLocation: location)
    try replica.close()
  }

  // MARK: Equal terms

  @Test func `A primary is fenced by another of its term that the stream has instead`() throws {
    let (first, second, _) = try rivals()
    try second.save(8)
    try expectFenced(second, by: first.epoch)
    try first.save(2)
    try Publisher(first, stores.stream).publishAll()
    try expectReplicas(have: [1, 2], of: first)
  }

  @Test func `Of two epochs of a term, the one that comes first in the stream continues`() throws {
    let (first, second, _) = try rivals()
    try second.save(8)
    // The messages of the second were delayed, and expect the first one's by chance.
    for message in try messages(second, after: 1) { try append(message) }
    let before = last
    let publisher = Publisher(first, stores.stream)
    try publisher.publishAll()
    #expect(last > before, "the first primary is the last in the stream again")
    try expectFenced(second, by: first.epoch)
    try first.save(2)
    try publisher.publishAll()
    try Publisher(first, stores.stream).publishAll()
    try expectReplicas(have: [1, 2], of: first)
  }

  @Test func `A primary whose term another has rejoins without its own commits`() throws {
    let (first, second, _) = try rivals()
    try second.save(8)
    for database in [first, second] { try database.close() }
    func rejoin(_ path: String) throws -> RejoinResult? {
      try Replica.rejoin(
        path, as: "other", transport: stores.stream, keeping: path + "-kept",
        options: Stores.options(), fileSystem: stores.files)
    }
    #expect(try rejoin("first") == nil)
    #expect(try rejoin("second") == RejoinResult(unpublished: 2...3, kept: "second-kept"))
  }

  @Test func `A replica of an epoch refuses another of the same term`() throws {
    let (first, second, fork) = try rivals()
    let follower = try stores.makeReplica("follower", fromBackupOf: second)
    #expect(follower.database.epoch == second.epoch)
    try first.save(2)
    try Publisher(first, stores.stream).publishAll()
    #expect(throws: ReplicationError.needsBackup(end: 2)) {
      for _ in 0..<20 { _ = try follower.step() }
    }
    #expect(try follower.database.values == [1])
    // Its own stream continues it.
    try follower.close()
    let again = try stores.replica("follower", fork)
    try second.save(8)
    try Publisher(second, fork).publishAll()
    try again.catchUp()
    #expect(try again.database.values == [1, 8])
  }

  // MARK: Replaced primaries

  @Test func `Messages of a replaced primary count neither before nor after the next ones`() throws
  {
    let (primary, old, replicas) = try cluster("replica")
    try Promotion(replicas[0]).finish()
    let next = try stores.open(promoted: replicas[0])
    let publisher = Publisher(next, stores.stream)
    try publisher.publishAll()
    try primary.save(7)
    for message in try messages(primary, after: 1) { try append(message) }
    try expectReplicas(have: [1], of: next)
    // The next primary detects the message and publishes its last one again.
    let before = last
    publisher.check()
    try publisher.publishAll()
    #expect(last == before + 1)
    #expect(throws: StoreError.fenced(epoch: next.epoch)) {
      old.check()
      try old.publishAll()
    }
    try expectFenced(primary, by: next.epoch)
    try next.save(2)
    try publisher.publishAll()
    try expectReplicas(have: [1, 2], of: next)
  }

  @Test func `The newest primary goes on although a replaced one filled a lost stream`() throws {
    let (first, second, _) = try rivals()
    let replica = try stores.makeReplica("third", fromBackupOf: first)
    try replica.catchUp()
    try Promotion(replica).finish()
    let third = try stores.open(promoted: replica)
    let publisher = Publisher(third, stores.stream)
    try third.save(3)
    try publisher.publishAll()
    stores.stream.recreate()
    try second.save(8)
    try Publisher(second, stores.stream).publishAll()
    publisher.check()
    try publisher.publishAll()
    try expectFenced(second, by: third.epoch)
    let copy = try stores.makeReplica("copy", fromBackupOf: third)
    try third.save(4)
    try publisher.publishAll()
    try copy.catchUp()
    #expect(try copy.database.values == [1, 3, 4])
  }

  @Test func `A stale answer does not let a replaced primary publish`() throws {
    let (primary, _, replicas) = try cluster("replica")
    try Promotion(replicas[0]).finish()
    try primary.save(7)
    let stale = OldAnswers(stores.stream, through: 1)
    let publisher = Publisher(primary, stale)
    for _ in 0..<5 { #expect(try publisher.step() != .accepted) }
    #expect(last == 2 && publisher.publishedThrough == 1)
    stale.end(through: .max)
    #expect(throws: StoreError.fenced(epoch: replicas[0].database.epoch)) {
      try publisher.publishAll()
    }
  }

  @Test func `Each of three primaries is fenced by the last`() throws {
    let (primary, _, replicas) = try cluster("second", "third")
    try Promotion(replicas[0]).finish()
    let second = try stores.open(promoted: replicas[0])
    try replicas[1].catchUp()
    try Promotion(replicas[1]).finish()
    let third = try stores.open(promoted: replicas[1])
    #expect(third.term == 2 && second.term == 1)
    try expectFenced(primary, by: third.epoch)
    try expectFenced(second, by: third.epoch)
    try third.save(3)
    try Publisher(third, stores.stream).publishAll()
    try expectReplicas(have: [1, 3], of: third)
  }

  // MARK: Promotions and replicas

  @Test func `A replica whose last message another one replaced is not promoted`() throws {
    let (primary, publisher, replicas) = try cluster("replica", "other")
    let replica = replicas[0]
    try primary.save(2)
    try publisher.publishAll()
    try replica.catchUp()
    // The stream loses the commit, and has as many messages as before.
    stores.stream.truncate(1)
    try Promotion(replicas[1]).finish()
    #expect(last == 2 && replica.reader.cursor == 2)
    #expect(throws: ReplicationError.needsBackup(end: 2)) { try Promotion(replica).finish() }
    #expect(last == 2 && replica.database.term == 0)
  }

  @Test func `A promotion ends if the stream lost its epoch and has another one`() throws {
    let (_, _, replicas) = try cluster("first", "second", "third")
    let fork = try stores.fork()
    for replica in replicas[...1] { try replica.close() }
    try Promotion(stores.replica("first", fork)).finish()
    let second = try stores.replica("second", fork)
    try second.catchUp()
    try Promotion(second).finish()
    try #require(second.database.term == 2)
    let end = second.database.end
    try second.close()
    try Promotion(replicas[2]).finish()
    let again = try stores.replica("second")
    #expect(throws: ReplicationError.needsBackup(end: end)) { try Promotion(again).finish() }
    #expect(last == 2)
  }

  @Test func `Only a replica that ends before a new epoch follows it`() throws {
    let (primary, publisher, replicas) = try cluster("next", "level", "ahead")
    let fork = try stores.fork()
    try primary.save(2)
    try Publisher(primary, fork).publishAll()
    try replicas[2].close()
    let ahead = try stores.replica("ahead", fork)
    try ahead.catchUp()
    try ahead.close()
    try Promotion(replicas[0]).finish()
    try replicas[1].catchUp()
    #expect(replicas[1].database.epoch == replicas[0].database.epoch)
    let late = try stores.replica("ahead")
    #expect(late.database.end == replicas[0].database.epochFirst)
    #expect(throws: ReplicationError.needsBackup(end: 2)) {
      for _ in 0..<20 { _ = try late.step() }
    }
    #expect(try late.database.values == [1, 2] && late.database.epoch == primary.epoch)
    withExtendedLifetime(publisher) {}
  }

  /// A copy of a store as it was after the value 1, which has the same epoch.
  private func earlier(_ primary: Database) throws -> Database {
    try Database(path: primary.path, options: Stores.options(), fileSystem: stores.files.copy())
  }

  @Test func `A primary that has lost published commits publishes no others`() throws {
    let (primary, publisher, _) = try cluster()
    let copy = try earlier(primary)
    try primary.save(2)
    try publisher.publishAll()
    try copy.save(8)
    #expect(try copy.historyEnd.last == primary.historyEnd.last)
    #expect(throws: StoreError.diverged(sequence: 2)) {
      try Publisher(copy, stores.stream).publishAll()
    }
    #expect(throws: StoreError.fenced(epoch: primary.epoch)) { try copy.save(9) }
    #expect(last == 2)
    try expectReplicas(have: [1, 2], of: primary)
  }

  @Test func `A replica with another commit of the same number and epoch needs a backup`() throws {
    let (primary, publisher, replicas) = try cluster("replica")
    let copy = try earlier(primary)
    let fork = try stores.fork()
    try copy.save(8)
    try Publisher(copy, fork).publishAll()
    try replicas[0].close()
    let replica = try stores.replica("replica", fork)
    try replica.catchUp()
    try replica.close()
    try primary.save(2)
    try publisher.publishAll()
    let again = try stores.replica("replica")
    #expect(throws: ReplicationError.needsBackup(end: 2)) {
      for _ in 0..<20 { _ = try again.step() }
    }
    #expect(try again.database.values == [1, 8])
  }

  @Test func `A replica that lacks a commit whose first part was removed needs a backup`() throws {
    let (primary, _, replicas) = try cluster("replica")
    try primary.save(2)
    try Publisher(primary, stores.stream, payloadLimit: 16).publishAll()
    try #require(last > 3)
    try stores.stream.trim(through: 2)
    #expect(throws: ReplicationError.needsBackup(end: 1)) {
      for _ in 0..<20 { _ = try replicas[0].step() }
    }
  }

  @Test func `An old end of the stream makes no commit of a replaced primary published`() throws {
    let (_, _, replicas) = try cluster("first", "second")
    try Promotion(replicas[0]).finish()
    let first = try stores.open(promoted: replicas[0])
    let stream = StaleEnd(stores.stream)
    try Promotion(replicas[1]).finish()
    try first.save(2)
    let publisher = Publisher(first, stream)
    #expect(try publisher.step() == .located)
    #expect(publisher.publishedThrough == first.epochFirst)
    stream.refresh()
    #expect(throws: StoreError.fenced(epoch: replicas[1].database.epoch)) {
      try publisher.publishAll()
    }
    #expect(publisher.publishedThrough == first.epochFirst)
  }

  @Test func `A primary rejoins with a backup if the stream begins after its end`() throws {
    let (primary, _, replicas) = try cluster("replica")
    try Promotion(replicas[0]).finish()
    let next = try stores.open(promoted: replicas[0])
    let publisher = Publisher(next, stores.stream)
    for value in 2..<5 {
      try next.save(Double(value))
      try publisher.publishAll()
    }
    try stores.stream.trim(through: 3)
    try primary.close()
    // Another epoch may have begun before the messages that are left.
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result == RejoinResult(unpublished: 1...1, kept: "kept"))
    let kept = try Database(path: "kept", mode: .readOnly, fileSystem: stores.files)
    #expect(try kept.values == [1])
  }
}
