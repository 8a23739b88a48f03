import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

extension SimulatedStream {
  /// The last message of the stream.
  fileprivate var lastMessage: Message? {
    get throws { try read(from: last, limit: 1).first.flatMap { try Message($0.bytes) } }
  }
}

/// A published store that other writers open.
@Suite struct PublishedStoreTests {
  private let stores = Stores()

  /// Operations of a program that does not know of the stream.
  enum Work: CaseIterable {
    case sealing, deleting, erasing, compacting, expiring, closingLargeLog
  }

  private func published(_ values: Double...) throws -> (database: Database, ids: [Identifier]) {
    let database = try stores.open()
    let publisher = Publisher(database, stores.stream)
    var ids: [Identifier] = []
    // Only the position of the first message of a log is recorded at once. If a gap follows several
    // messages, the directory cannot tell whether the stream ends in the store's own history.
    for value in values {
      ids += try database.save(value)
      try publisher.publishAll()
    }
    return (database, ids)
  }

  private func openOrdinarily() throws -> Database {
    try stores.open { $0.keepsSealedLogs = false }
  }

  @Test(arguments: Work.allCases)
  func `Commits and segments of another writer reach replicas`(work: Work) throws {
    let (database, ids) = try published(1, 2, 3)
    let replica = try stores.makeReplica("replica", fromBackupOf: database)
    try database.save(4)
    try database.close()
    let other = try openOrdinarily()
    switch work {
    case .sealing: try other.seal()
    case .deleting: try other.delete(ids[0])
    case .erasing: _ = try other.erase(other.symbols.intern("ada"))
    case .compacting: try other.compact()
    case .expiring:
      _ = try other.expire([ExpiryRule(endingBefore: 3)])
    case .closingLargeLog:
      var batch = Batch()
      let key = SeriesKey(
        subject: other.symbols.intern("ada"), type: other.symbols.intern("heartRate"))
      for value in 0..<9000 { batch.add(to: key, start: Double(value), value: 1) }
      try other.commit(batch)
    }
    if work != .closingLargeLog {
      try other.save(7)
      try other.compact()
    }
    let values = try other.values
    try other.close()

    let primary = try stores.open()
    let publisher = Publisher(primary, stores.stream)
    try publisher.publishAll()
    #expect(publisher.publishedThrough == primary.end)
    try replica.catchUp()
    #expect(try replica.database.values == values)
    #expect(try replica.database.historyEnd == primary.historyEnd)
  }

  @Test func `A directory is marked permanently before its first message`() throws {
    stores.stream.faults.hasCrashed = true
    let database = try stores.open()
    #expect(try #require(stores.files.list("primary")).contains(FileNames.published))
    #expect(database.unpublishedRecordCount == 0)
    try database.save(1)
    #expect(database.unpublishedRecordCount == 1)
    try database.close()
    let other = try openOrdinarily()
    #expect(other.isPublished)
    #expect(other.unpublishedRecordCount == 1)
    #expect(try other.publicationState()?.unpublishedRecordCount == 1)
  }

  @Test func `Closing a primary records the position that the stream has confirmed`() throws {
    let primary = try Primary(
      path: "primary", transport: stores.shared, options: Stores.options(), fileSystem: stores.files
    )
    try primary.commit(primary.database.batch(1))
    try primary.commit(primary.database.batch(2))
    try primary.close()
    let other = try openOrdinarily()
    #expect(try other.confirmedPosition == other.historyEnd)
    try other.save(3)
    #expect(other.unpublishedRecordCount == 1)
    let state = try #require(try other.publicationState())
    #expect(state.confirmed == 2 && state.gapEnd == nil)
  }

  /// Operations that create a store from another one's files.
  enum Copying: CaseIterable {
    case restoring, repairing, restoringReplica, repairingReplica, restoringCopy
  }

  @Test(arguments: Copying.allCases)
  func `A copy of a published store keeps its logs for every writer`(copying: Copying) throws {
    let (database, _) = try published(1)
    let source: String
    switch copying {
    case .restoring, .repairing:
      try database.backup(to: "backup")
      source = "backup"
    case .restoringReplica:
      try stores.makeReplica("replica", fromBackupOf: database).database.backup(to: "backup")
      source = "backup"
    case .repairingReplica:
      try stores.makeReplica("replica", fromBackupOf: database).close()
      source = "replica"
    case .restoringCopy: source = "primary"
    }
    try database.close()
    switch copying {
    case .repairing, .repairingReplica:
      _ = try Database.repair(from: source, to: "made", fileSystem: stores.files)
    case .restoring, .restoringReplica, .restoringCopy:
      try Database.restore(from: source, to: "made", fileSystem: stores.files)
    }
    let made = try stores.open("made") { $0.keepsSealedLogs = false }
    #expect(made.isPublished && made.confirmedPosition == nil)
    try made.save(2)
    try made.seal()
    try made.close()
    #expect(
      try #require(stores.files.list("made")).contains { FileNames.sealedLogFirst($0) != nil })
    let primary = try stores.open("made")
    let publisher = Publisher(primary, stores.stream)
    for _ in 0..<40 { _ = try publisher.step() }
    #expect(try stores.stream.lastMessage?.writer.epoch == primary.epoch)
    // The record of the new epoch and another writer's commits in it stay available to replicas.
    try primary.backup(to: "made-backup")
    try Replica.make(from: "made-backup", at: "copy", of: "it", fileSystem: stores.files)
    let copy = try Replica(
      path: "copy", transport: stores.stream, options: Stores.options(), fileSystem: stores.files,
      name: "copy")
    _ = try copy.step()
    try primary.save(3)
    try publisher.publishAll()
    try copy.catchUp()
    #expect(try stores.stream.lastMessage?.after == primary.historyEnd)
    #expect(try copy.database.historyEnd == primary.historyEnd)
  }

  @Test func `A copy of an unpublished store keeps no logs`() throws {
    let database = try openOrdinarily()
    try database.save(1)
    try database.backup(to: "backup")
    try Database.restore(from: "backup", to: "restored", fileSystem: stores.files)
    let restored = try stores.open("restored") { $0.keepsSealedLogs = false }
    #expect(!restored.isPublished)
    try restored.save(2)
    try restored.seal()
    let names = try #require(stores.files.list("restored"))
    #expect(!names.contains { FileNames.sealedLogFirst($0) != nil || $0 == FileNames.published })
  }

  @Test func `A directory that cannot be opened is not marked`() throws {
    let database = try openOrdinarily()
    try database.save(1)
    try database.seal()
    try database.close()
    let name = try #require(stores.files.list("primary")?.first { $0.hasSuffix(".segment") })
    let file = try stores.files.open("primary/" + name, .update)
    try [UInt8(9)].withUnsafeBytes { try file.write($0, at: 20) }
    #expect(throws: StoreError.self) { try stores.open() }
    #expect(try #require(stores.files.list("primary")).contains(FileNames.published) == false)
  }

  @Test func `A promoted replica is marked, a rejoining primary is not`() throws {
    let (database, _) = try published(1)
    try stores.makeReplica("replica", of: database)
    try Database.promote("replica", fileSystem: stores.files)
    #expect(try stores.open("replica") { $0.keepsSealedLogs = false }.isPublished)
    try database.close()
    try Database.demote("primary", to: "the replica", fileSystem: stores.files)
    #expect(try #require(stores.files.list("primary")).contains(FileNames.published) == false)
    try Database.discardFiles(in: "replica", fileSystem: stores.files)
    #expect(stores.files.list("replica")?.isEmpty ?? true)
  }

  @Test
  func `A damaged marker still counts as a marker, and kept logs mark an old directory`() throws {
    let (database, _) = try published(1)
    try database.seal()
    try database.close()
    let file = try stores.files.open("primary/" + FileNames.published, .update)
    try [UInt8(9)].withUnsafeBytes { try file.write($0, at: 20) }
    var other = try openOrdinarily()
    #expect(other.isPublished && other.confirmedPosition == nil)
    try other.close()
    try stores.files.remove("primary/" + FileNames.published)
    other = try openOrdinarily()
    #expect(other.isPublished)
  }

  // MARK: Gaps

  /// A primary whose stream ends at 2 and whose logs begin after 4, as versions before the marker
  /// file leave it.
  private func withGap() throws -> (Database, Replica) {
    let (database, _) = try published(1, 2)
    let replica = try stores.makeReplica("replica", fromBackupOf: database)
    try database.seal()
    for value in [3.0, 4, 5] {
      try database.save(value)
      if value > 3 { continue }
      try database.seal()
    }
    try database.seal()
    try database.save(6)
    for name in stores.files.list("primary") ?? [] {
      guard let first = FileNames.sealedLogFirst(name), first == 3 else { continue }
      try stores.files.remove("primary/" + name)
    }
    return (database, replica)
  }

  @Test func `A gap is not damage, and commits after it do not count as published`() throws {
    let (database, replica) = try withGap()
    let publisher = Publisher(database, stores.stream)
    for _ in 0..<40 { _ = try publisher.step() }
    #expect(try publisher.step() == .located)
    #expect(try publisher.step() == .blocked)
    #expect(publisher.gap == PublishingGap(published: 2, continued: 3))
    #expect(publisher.publishedThrough == 2)
    try replica.catchUp()
    #expect(replica.database.end == 2)
  }

  @Test func `A gap up to the end of the store is detected`() throws {
    let (database, _) = try published(1, 2)
    try database.save(3)
    try database.seal()
    for name in stores.files.list("primary") ?? [] where FileNames.sealedLogFirst(name) != nil {
      try stores.files.remove("primary/" + name)
    }
    let publisher = Publisher(database, stores.stream)
    for _ in 0..<40 { _ = try publisher.step() }
    #expect(publisher.gap == PublishingGap(published: 2, continued: 3))
    #expect(publisher.publishedThrough == 2)
    try database.close()
    let primary = try Primary(
      path: "primary", transport: stores.shared, options: Stores.options(), fileSystem: stores.files
    )
    #expect(throws: ReplicationError.gap(PublishingGap(published: 2, continued: 3))) {
      try primary.close()
    }
  }

  @Test
  func `A save after a gap is reported, and a replica made from a backup closes the gap`() throws {
    try withGap().0.close()
    let primary = try Primary(
      path: "primary", transport: stores.shared, options: Stores.options(), fileSystem: stores.files
    )
    #expect(throws: ReplicationError.gap(PublishingGap(published: 2, continued: 3))) {
      try primary.commit(primary.database.batch(7), acknowledgement: .replicated)
    }
    #expect(primary.gap?.continued == 3)
    #expect(primary.metrics().gap != nil && primary.publishedThrough == 2)

    try primary.database.backup(to: "copy-backup")
    try Replica.make(
      from: "copy-backup", at: "copy", of: "the primary", fileSystem: stores.files)
    let copy = try Replica(
      path: "copy", transport: stores.shared, options: Stores.options(), fileSystem: stores.files,
      name: "copy")
    _ = try copy.step()
    try primary.commit(primary.database.batch(8), acknowledgement: .copies(0))
    #expect(primary.gap == nil && primary.publishedThrough == primary.database.end)
    try copy.catchUp()
    #expect(try copy.database.historyEnd == primary.database.historyEnd)
    try primary.close()
  }

  @Test func `A lost stream is recreated unless the logs lack unconfirmed commits`() throws {
    let (database, _) = try withGap()
    try database.notePublished(
      HistoryPosition(last: 2, chain: try LogTail(database, after: 0).position.chain))
    stores.stream.recreate()
    let publisher = Publisher(database, stores.stream)
    for _ in 0..<40 { _ = try publisher.step() }
    #expect(publisher.publishedThrough == 0)
    #expect(publisher.gap == PublishingGap(published: 2, continued: 3))
    #expect(try database.publicationState()?.gapEnd == 3)
    #expect(stores.stream.last == 0)
  }

  @Test func `Commits after a new epoch's record count once a replica follows it`() throws {
    let (database, _) = try published(1, 2)
    let replica = try stores.makeReplica("replica", fromBackupOf: database)
    // Unpublished, and in no log of the copy.
    try database.save(3)
    try database.seal()
    try database.backup(to: "backup")
    try database.close()
    try Database.restore(from: "backup", to: "restored", fileSystem: stores.files)
    for _ in 0..<2 {
      let primary = try Primary(
        path: "restored", transport: stores.shared, options: Stores.options(),
        fileSystem: stores.files)
      #expect(throws: ReplicationError.gap(PublishingGap(published: 2, continued: 3))) {
        try primary.commit(primary.database.batch(4), acknowledgement: .replicated)
      }
      #expect(primary.gap?.published == 2 && primary.metrics().gap != nil)
      // The record still fences, and replicas that can apply the following commits read them.
      #expect(stores.stream.last > 2)
      #expect(throws: ReplicationError.self) { try primary.close() }
    }
    #expect(throws: ReplicationError.self) { try replica.catchUp() }

    let primary = try Primary(
      path: "restored", transport: stores.shared, options: Stores.options(),
      fileSystem: stores.files)
    try primary.database.backup(to: "copy-backup")
    try Replica.make(
      from: "copy-backup", at: "copy", of: "the primary", fileSystem: stores.files)
    let copy = try Replica(
      path: "copy", transport: stores.shared, options: Stores.options(), fileSystem: stores.files,
      name: "copy")
    _ = try copy.step()
    try primary.commit(primary.database.batch(5), acknowledgement: .replicated)
    #expect(primary.gap == nil && primary.publishedThrough == primary.database.end)
    try copy.catchUp()
    #expect(try copy.database.historyEnd == primary.database.historyEnd)
    try primary.close()
    // From now on the directory records that the whole epoch is published.
    let again = try stores.open("restored")
    let publisher = Publisher(again, stores.stream)
    stores.stream.wipeReports()
    try publisher.publishAll()
    #expect(publisher.gap == nil && publisher.publishedThrough == again.end)
  }

  @Test func `A promotion across a gap does not count as published either`() throws {
    let (database, _) = try published(1, 2)
    // The copy has a commit that the stream never had and whose log is removed.
    try database.save(3)
    try database.seal()
    let replica = try stores.makeReplica("replica", fromBackupOf: database)
    try database.close()
    try Promotion(replica).finish()
    try replica.close()
    try Database.promote("replica", fileSystem: stores.files)
    let promoted = try stores.open("replica")
    let publisher = Publisher(promoted, stores.stream)
    try promoted.save(5)
    for _ in 0..<20 { _ = try publisher.step() }
    #expect(publisher.gap == PublishingGap(published: 2, continued: 3))
    #expect(publisher.publishedThrough == 2)
    #expect(try stores.stream.lastMessage?.after == promoted.historyEnd)
  }

  @Test func `Unreachable replicas are not taken for missing ones`() throws {
    let (database, _) = try withGap()
    try database.notePublished(
      HistoryPosition(last: 4, chain: try LogTail(database, after: 0).position.chain))
    stores.stream.recreate()
    let stream = SilentReports(stores.stream)
    let publisher = Publisher(database, stream)
    for _ in 0..<40 { #expect(try [.located, .unresolved].contains(publisher.step())) }
    #expect(stores.stream.last == 0 && publisher.gap == nil)
    stream.isSilent.withLock { $0 = false }
    try publisher.publishAll()
    #expect(publisher.publishedThrough == database.end)
  }
}
