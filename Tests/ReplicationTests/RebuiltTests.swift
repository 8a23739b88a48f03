import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// Commits of removed logs, republished from the rows of segments.
@Suite struct RebuiltTests {
  private let stores = Stores()

  /// A primary that has published and recorded its first commits, and a replica with them.
  private func published() throws -> (Database, [Identifier], Replica) {
    let database = try stores.open()
    var ids: [Identifier] = []
    for value in [1.0, 2, 3] { ids += try database.save(value) }
    try database.save(20, 21, subject: "ben")
    let publisher = Publisher(database, stores.stream)
    try publisher.publishAll()
    try publisher.noteConfirmed()
    return (database, ids, try stores.makeReplica("replica", fromBackupOf: database))
  }

  /// Saves and deletes in several logs, then seals and removes the logs.
  ///
  /// A replica that has applied an erasure removes the logs that begin before it.
  private func lose(_ database: Database, _ ids: [Identifier], erases: Bool = true) throws {
    let more = try database.save(4, 5, 6)
    try database.delete(ids[1])
    try database.seal()
    try database.delete(more[1])
    if erases { try database.erase(database.symbols.intern("ben")) }
    try database.save(22, subject: "ben")
    try database.acknowledge("reader", through: database.end)
    try database.seal()
    try removeLogs()
    // This commit is in a log after the removed ones.
    try database.save(7)
    try database.delete(more[0])
  }

  private func removeLogs(in path: String = "primary") throws {
    for name in stores.files.list(path) ?? [] where FileNames.sealedLogFirst(name) != nil {
      try stores.files.remove(path + "/" + name)
    }
  }

  /// Describes the changes that a feed delivers after an anchor.
  private func changes(_ database: Database, after anchor: Anchor) throws -> [String] {
    let page = try database.snapshot().changes(after: anchor)
    return page.erasures.map { "erased \(database.symbols.text($0.subject))" }
      + page.changes.map { "\($0.kind) \($0.row.sequence) \($0.row.id)" }
  }

  private func expectEqual(_ copy: Database, _ primary: Database, after anchor: Anchor) throws {
    try copy.checkInvariants()
    #expect(try copy.historyEnd == primary.historyEnd)
    #expect(try copy.values == primary.values)
    #expect(try changes(copy, after: anchor) == changes(primary, after: anchor))
    #expect(copy.acknowledgements == primary.acknowledgements)
  }

  @Test(arguments: [512 << 10, 300]) func `A gap is closed from segments`(limit: Int) throws {
    let (database, ids, replica) = try published()
    let anchor = Anchor(sequence: replica.database.end)
    try lose(database, ids)
    let publisher = Publisher(database, stores.stream, payloadLimit: limit)
    try publisher.publishAll()
    #expect(publisher.rebuiltCount == 1 && publisher.publishedThrough == database.end)
    try replica.catchUp()
    try expectEqual(replica.database, database, after: anchor)

    // The history continues, also in the replica's log.
    try database.save(8)
    try publisher.publishAll()
    try replica.catchUp()
    try expectEqual(replica.database, database, after: anchor)
    try replica.close()
    let again = try stores.replica("replica")
    try again.catchUp()
    try expectEqual(again.database, database, after: anchor)
    try again.database.compact()
    try expectEqual(again.database, database, after: anchor)
  }

  @Test func `A promoted replica republishes the commits that it received rebuilt`() throws {
    let (database, ids, replica) = try published()
    try database.backup(to: "early")
    try Replica.make(from: "early", at: "other", of: "the primary", fileSystem: stores.files)
    let other = try stores.replica("other")
    let anchor = Anchor(sequence: replica.database.end)
    try lose(database, ids, erases: false)
    try Publisher(database, stores.stream).publishAll()
    try replica.catchUp()
    try replica.database.seal()
    try database.close()
    stores.stream.recreate()
    stores.stream.wipeReports()
    try Promotion(replica).finish()
    try replica.close()
    try Database.promote("replica", fileSystem: stores.files)
    let promoted = try stores.open("replica")
    try promoted.save(9)
    try Publisher(promoted, stores.stream).publishAll()
    try other.catchUp()
    try expectEqual(other.database, promoted, after: anchor)
  }

  @Test func `A replica that ends within the rebuilt commits needs a backup`() throws {
    let (database, ids, replica) = try published()
    try database.save(4)
    let ahead = try stores.makeReplica("ahead", fromBackupOf: database)
    try lose(database, ids)
    try Publisher(database, stores.stream).publishAll()
    #expect(throws: ReplicationError.needsBackup(end: ahead.database.end)) { try ahead.catchUp() }
    try replica.catchUp()
    #expect(replica.database.end == database.end)
  }

  @Test func `A gap remains if deletions after the stream's end are forgotten`() throws {
    let (database, ids, replica) = try published()
    try lose(database, ids)
    try database.close()
    let other = try stores.open {
      $0.deletionRetention = .seconds(0)
      $0.clock = { 2_000_000 }
    }
    try other.compact()
    try #require(other.snapshot().floor > replica.database.end)
    try expectGap(other)
  }

  @Test func `A gap remains if a removed setting may be forgotten`() throws {
    let (database, _, _) = try published()
    try database.acknowledge("reader", through: database.end)
    let publisher = Publisher(database, stores.stream)
    try publisher.publishAll()
    try publisher.noteConfirmed()
    try database.removeAcknowledgement("reader")
    try database.seal()
    try database.save(4)
    try database.compact()
    try removeLogs()
    try expectGap(database)
  }

  @Test func `A gap remains if the stream's end may belong to another history`() throws {
    let (database, ids, _) = try published()
    let publisher = Publisher(database, stores.stream)
    for value in [4.0, 5] {
      try database.save(value)
      try publisher.publishAll()
    }
    try lose(database, ids)
    // The marker's position precedes the end, as in a marker written before a copy was restored.
    try expectGap(database)
  }

  private func expectGap(_ database: Database) throws {
    let publisher = Publisher(database, stores.stream)
    let last = stores.stream.last
    for _ in 0..<40 { _ = try publisher.step() }
    #expect(publisher.gap != nil && publisher.rebuiltCount == 0)
    #expect(stores.stream.last == last)
  }
}
