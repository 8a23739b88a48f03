import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// A primary, its stream and replicas.
@Suite struct ReplicaTests {
  private let stores = Stores()

  @Test(arguments: [200, 512 << 10])
  func `A replica reproduces its primary, also from partial messages`(limit: Int) throws {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let replica = try stores.replica("replica")
    let publisher = Publisher(primary, stores.stream, payloadLimit: limit)
    for value in 0..<20 {
      let ids = try primary.save(Double(value), 100, 200, 300)
      if value % 3 == 0 { try primary.delete(ids[1]) }
      if value % 4 == 0 { try publisher.publishAll() }
      if value % 5 == 0 { try replica.catchUp() }
    }
    try publisher.publishAll()
    try replica.catchUp()
    #expect(publisher.publishedThrough == primary.end)
    #expect(try replica.database.historyEnd == primary.historyEnd)
    #expect(try replica.database.values == primary.values)
    #expect(replica.lag == 0)
  }

  @Test func `A replica keeps no more sealed logs than configured`() throws {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let replica = try Replica(
      path: "replica", transport: stores.stream, options: Stores.options(),
      fileSystem: stores.files, keptLogCount: 2)
    let publisher = Publisher(primary, stores.stream)
    for value in 0..<6 {
      try primary.save(Double(value))
      try publisher.publishAll()
      try replica.catchUp()
      try replica.database.seal()
    }
    let kept = stores.files.list("replica")?.compactMap(FileNames.sealedLogFirst).sorted()
    // The last log was sealed after its commits were applied.
    #expect(kept == [4, 5, 6])
  }

  @Test func `Lost messages are published again, and replicas ignore the duplicates`() throws {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let replica = try stores.replica("replica")
    let publisher = Publisher(primary, stores.stream)
    for value in 0..<4 {
      try primary.save(Double(value))
      try publisher.publishAll()
    }
    try replica.catchUp()
    stores.stream.recreate()
    try primary.save(9)
    try publisher.publishAll()
    for _ in 0..<3 { try replica.catchUp() }
    #expect(try replica.database.values == [0, 1, 2, 3, 9])
    try stores.makeReplica("another", of: primary)
    let another = try stores.replica("another")
    try another.catchUp()
    #expect(try another.database.historyEnd == primary.historyEnd)
  }

  @Test func `A replica behind the start of the stream needs a backup`() throws {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    try primary.save(2)
    try publisher.publishAll()
    try stores.stream.trim(through: 1)
    let replica = try stores.replica("replica")
    #expect(throws: ReplicationError.needsBackup(end: 0)) { try replica.catchUp() }
    #expect(replica.needsBackup)
    let other = try stores.makeReplica("other", fromBackupOf: primary)
    try primary.save(3)
    try publisher.publishAll()
    try other.catchUp()
    #expect(try other.database.values == [1, 2, 3])
  }

  @Test func `A replica of a lost epoch needs a backup`() throws {
    let primary = try stores.open()
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.makeReplica("replica", fromBackupOf: primary)
    try Promotion(replica).finish()
    #expect(replica.database.end == 2)
    // The stream loses the new epoch, and the old one continues.
    stores.stream.truncate(1)
    try primary.save(5)
    try publisher.publishAll()
    #expect(throws: ReplicationError.needsBackup(end: 2)) {
      for _ in 0..<20 { _ = try replica.step() }
    }
  }

  @Test
  func `A replica accepts the primary's anchor or reports that it lacks the commits`() throws {
    let primary = try stores.open()
    try stores.makeReplica("replica", of: primary)
    let replica = try stores.replica("replica")
    let publisher = Publisher(primary, stores.stream)
    let ids = try primary.save(1, 2, 3)
    try publisher.publishAll()
    let page = try primary.snapshot().changes(after: .beginning, limit: 2)
    #expect(throws: ReplicationError.notHereYet(anchor: 3, end: 0)) {
      try replica.wait(for: page.anchor, atMost: 0)
    }
    // The error differs from that of an anchor that is lost.
    for snapshot in [
      replica.database.snapshot(),
      try Database(path: "replica", mode: .readOnly, fileSystem: stores.files).snapshot(),
    ] {
      #expect(throws: StoreError.notHereYet(anchor: 3, end: 0)) {
        try snapshot.changes(after: page.anchor)
      }
    }
    try replica.wait(for: page.anchor, atMost: 5)
    let rest = try replica.database.snapshot().changes(after: page.anchor)
    #expect(rest.changes.map(\.row.id) == [ids[2]])
    try primary.save(4)
    let more = try primary.snapshot().changes(after: rest.anchor)
    #expect(more.changes.count == 1)
    #expect(throws: ReplicationError.notHereYet(anchor: 4, end: 3)) {
      try replica.wait(for: more.anchor, atMost: 3)
    }
    #expect(throws: StoreError.anchorOfAnotherStore) {
      try replica.has(
        Anchor(sequence: 1, origin: Anchor.Origin(storeID: Identifier(high: 1, low: 1), epoch: 1)))
    }
  }

  @Test func `Messages of another store are refused`() throws {
    let primary = try stores.open()
    try primary.save(1)
    try Publisher(primary, stores.stream).publishAll()
    let other = try stores.open("other")
    try other.save(1)
    #expect(throws: ReplicationError.anotherStore) {
      try Publisher(other, stores.stream).publishAll()
    }
    try stores.makeReplica("replica", of: other)
    let replica = try stores.replica("replica")
    #expect(throws: ReplicationError.anotherStore) { try replica.catchUp() }
  }
}
