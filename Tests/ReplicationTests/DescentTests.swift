import SampleLog
import Testing

@testable import SampleLogReplication
@testable import SampleLogSimulation

/// Copies of a published store that were restored or repaired, which increases their terms.
@Suite struct DescentTests {
  private let stores = Stores()

  /// A way to make a copy of a closed store.
  enum Copying: CaseIterable {
    case restoring
    case repairing
  }

  /// A primary that has published the value 1 and was replaced by a replica.
  private func replaced() throws -> (old: Database, new: Database) {
    let old = try stores.open()
    try old.save(1)
    try Publisher(old, stores.stream).publishAll()
    let replica = try stores.makeReplica("replica", fromBackupOf: old)
    try replica.catchUp()
    try Promotion(replica).finish()
    return (old, try stores.open(promoted: replica))
  }

  /// Closes a store, and returns the open copy of a copy of it.
  private func copyTwice(_ database: Database, _ copying: Copying) throws -> Database {
    try copy(database, copying, times: 2)
  }

  private func copy(_ database: Database, _ copying: Copying, times: Int) throws -> Database {
    try database.close()
    var path = database.path
    for _ in 0..<times {
      let destination = path + "+"
      switch copying {
      case .restoring:
        try Database.restore(
          from: path, to: destination, options: Stores.options(), fileSystem: stores.files)
      case .repairing:
        _ = try Database.repair(
          from: path, to: destination, options: Stores.options(), fileSystem: stores.files)
      }
      path = destination
    }
    return try stores.open(path)
  }

  private func rejoin(_ path: String) throws -> RejoinResult? {
    try Replica.rejoin(
      path, as: "another", transport: stores.stream, keeping: path + "-kept",
      options: Stores.options(), fileSystem: stores.files)
  }

  @Test(arguments: Copying.allCases)
  func `A copy of a replaced primary does not fence the one that replaced it`(
    _ copying: Copying
  ) throws {
    let (old, new) = try replaced()
    let publisher = Publisher(new, stores.stream)
    try new.save(2)
    try publisher.publishAll()
    try old.save(7)
    let copy = try copyTwice(old, copying)
    try #require(copy.term > new.term)
    let last = stores.stream.last
    #expect(throws: StoreError.fenced(epoch: new.epoch)) {
      try Publisher(copy, stores.stream).publishAll()
    }
    #expect(throws: StoreError.fenced(epoch: new.epoch)) { try copy.save(8) }
    #expect(stores.stream.last == last)
    try new.save(3)
    try publisher.publishAll()
    let replica = try stores.makeReplica("other", fromBackupOf: new)
    try replica.catchUp()
    #expect(try replica.database.values == [1, 2, 3])
  }

  @Test(arguments: Copying.allCases)
  func `A copy of a replaced primary rejoins without its own commits`(_ copying: Copying) throws {
    let (old, new) = try replaced()
    try new.save(2)
    try Publisher(new, stores.stream).publishAll()
    let copy = try copyTwice(old, copying)
    let (path, end) = (copy.path, copy.end)
    try copy.close()
    #expect(try rejoin(path) == RejoinResult(unpublished: 2...end, kept: path + "-kept"))
    let kept = try Database(path: path + "-kept", mode: .readOnly, fileSystem: stores.files)
    #expect(try kept.values == [1])
  }

  @Test func `An older copy of a replaced primary rejoins without the records of its epochs`()
    throws
  {
    let primary = try stores.open()
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.makeReplica("replica", fromBackupOf: primary)
    try primary.backup(to: "older")
    for value in 2..<5 { try primary.save(Double(value)) }
    try publisher.publishAll()
    try replica.catchUp()
    try Promotion(replica).finish()
    try Database.restore(
      from: "older", to: "restored", options: Stores.options(), fileSystem: stores.files)
    let result = try rejoin("restored")
    #expect(result == RejoinResult(unpublished: 2...2, kept: "restored-kept"))
  }

  @Test func `A restored copy of the current primary continues the stream`() throws {
    let (_, new) = try replaced()
    try new.save(2)
    try Publisher(new, stores.stream).publishAll()
    let follower = try stores.makeReplica("follower", fromBackupOf: new)
    try new.save(3)
    let copy = try copyTwice(new, .restoring)
    try copy.save(4)
    try Publisher(copy, stores.stream).publishAll()
    try follower.catchUp()
    #expect(try follower.database.values == [1, 2, 3, 4])
    #expect(try follower.database.historyEnd == copy.historyEnd)
    let path = copy.path
    try copy.close()
    #expect(try rejoin(path) == nil)
  }

  @Test func `A repaired copy of the current primary publishes after a gap`() throws {
    let (_, new) = try replaced()
    try new.save(2)
    try Publisher(new, stores.stream).publishAll()
    try new.save(3)
    let copy = try copyTwice(new, .repairing)
    try copy.save(4)
    let publisher = Publisher(copy, stores.stream)
    let gap = PublishingGap(published: 3, continued: 5)
    #expect(throws: ReplicationError.gap(gap)) { try publisher.publishAll() }
    #expect(publisher.publishedThrough == 3)
    try stores.makeReplica("new", fromBackupOf: copy).close()
    let replica = try Replica(
      path: "new", transport: stores.stream, options: Stores.options(), fileSystem: stores.files,
      name: "new")
    try replica.catchUp()
    try publisher.publishAll()
    #expect(publisher.publishedThrough == copy.end)
    try replica.catchUp()
    #expect(try replica.database.values == [1, 2, 3, 4])
  }

  @Test(arguments: [[], [1.0]])
  func `A repaired copy publishes nothing to a lost stream before a replica can follow it`(
    values: [Double]
  ) throws {
    let database = try stores.open()
    for value in values { try database.save(value) }
    try Publisher(database, stores.stream).publishAll()
    func replica(_ path: String, of database: Database) throws -> Replica {
      try stores.makeReplica(path, fromBackupOf: database).close()
      return try Replica(
        path: path, transport: stores.stream, options: Stores.options(), fileSystem: stores.files,
        name: path)
    }
    try replica("old", of: database).catchUp()
    stores.stream.recreate()
    let copy = try copy(database, .repairing, times: 1)
    try copy.save(2)
    let publisher = Publisher(copy, stores.stream)
    let end = UInt64(values.count)
    #expect(throws: ReplicationError.gap(PublishingGap(published: 0, continued: end))) {
      try publisher.publishAll()
    }
    #expect(publisher.publishedThrough == 0)
    try replica("new", of: copy).catchUp()
    try publisher.publishAll()
    #expect(publisher.publishedThrough == copy.end)
  }

  @Test func `A gap before an epoch that the stream has in part is known`() throws {
    let (_, new) = try replaced()
    try Publisher(new, stores.stream).publishAll()
    try new.save(3)
    let copy = try copyTwice(new, .repairing)
    let publisher = Publisher(copy, stores.stream, payloadLimit: 16)
    let last = stores.stream.last
    while stores.stream.last == last { _ = try publisher.step() }
    try #require(!publisher.outbox.isEmpty)
    // Its answer was lost, so the publisher reads the stream again.
    publisher.tail = nil
    #expect(throws: ReplicationError.gap(PublishingGap(published: 2, continued: 4))) {
      try publisher.publishAll()
    }
    #expect(publisher.publishedThrough == 2)
  }

  @Test func `A publisher that cannot read the whole stream begins no epoch`() throws {
    let (old, new) = try replaced()
    try Publisher(new, stores.stream).publishAll()
    let copy = try copyTwice(old, .restoring)
    let last = stores.stream.last
    let stale = OldAnswers(stores.stream, through: 1)
    let publisher = Publisher(copy, stale)
    for _ in 0..<5 { #expect(try publisher.step() != .accepted) }
    #expect(stores.stream.last == last)
    stale.end(through: .max)
    #expect(throws: StoreError.fenced(epoch: new.epoch)) { try publisher.publishAll() }
  }
}
