import SampleLog
import Testing

@testable import SampleLogReplication
@testable import SampleLogSimulation

/// The bytes of an erased subject in the files of every copy and in the stream.
@Suite struct ErasedCopiesTests {
  private let stores = Stores()
  /// Names are stored unchanged, and small frames are not compressed.
  private let canary = "canary 8fd1c07e of ada"

  /// Saves a sample whose source is the canary, and a sample of another subject.
  private func saveCanary(_ database: Database) throws {
    for (subject, source) in [("ada", canary), ("ben", "watch of ben")] {
      var batch = Batch()
      batch.add(
        to: SeriesKey(
          subject: database.symbols.intern(subject), type: database.symbols.intern("heartRate")),
        start: 1, value: 60, source: database.symbols.intern(source))
      try database.commit(batch)
    }
  }

  private func files(_ path: String, with text: String) throws -> [String] {
    try (stores.files.list(path) ?? []).filter { name in
      let file = try stores.files.open(path + "/" + name, .read)
      return try (file.bytes(try file.size(), at: 0) ?? []).contains(Array(text.utf8))
    }
    .sorted()
  }

  private func messages(with text: String) -> [UInt64] {
    stores.stream.everything().filter { $0.bytes.contains(Array(text.utf8)) }.map(\.sequence)
  }

  private func replica(_ name: String) throws -> Replica {
    try Replica(
      path: name, transport: stores.stream, options: Stores.options(), fileSystem: stores.files,
      name: name)
  }

  /// A primary that has published the canary, and replicas that have applied it.
  private func cluster(_ names: String...) throws -> (Database, Publisher, [Replica]) {
    let primary = try stores.open()
    let publisher = Publisher(primary, stores.stream, confirmationCount: 2)
    let replicas = try names.map { name in
      try stores.makeReplica(name, of: primary)
      return try replica(name)
    }
    try saveCanary(primary)
    try publisher.publishAll()
    for replica in replicas { try replica.catchUp() }
    return (primary, publisher, replicas)
  }

  private func erase(_ primary: Database) throws -> UInt64 {
    let erasure = try primary.erase(primary.symbols.intern("ada"))
    try primary.compact()
    return try #require(erasure.sequence)
  }

  /// Runs the primary's periodic checks.
  private func check(_ publisher: Publisher, _ count: Int = 12) throws {
    for _ in 0..<count {
      publisher.check()
      try publisher.publishAll()
    }
  }

  @Test func `A replica removes erased data from its files and follows on`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    try replicas[0].database.seal()
    try saveCanary(primary)
    try publisher.publishAll()
    try replicas[0].catchUp()
    #expect(try files("one", with: canary).count == 3)
    let anchor = replicas[0].database.anchor(at: 2)
    let erasure = try erase(primary)
    try publisher.publishAll()
    try replicas[0].catchUp()
    #expect(try files("one", with: canary) == [])
    let report = try #require(try stores.stream.reports(of: primary.storeID)["one"])
    #expect(report.confirms(erasure, in: primary.epoch))
    #expect(
      try replicas[0].database.snapshot().changes(after: anchor).erasures.map(\.sequence)
        == [erasure])
    try primary.save(7, subject: "ben")
    try publisher.publishAll()
    try replicas[0].catchUp()
    #expect(try replicas[0].database.historyEnd == primary.historyEnd)
    #expect(try replicas[0].database.values == [7, 60, 60])
    try Promotion(replicas[0]).finish()
    #expect(replicas[0].database.term == 1)
  }

  @Test func `A replica that ended after it applied an erasure completes it later`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    let erasure = try erase(primary)
    try publisher.publishAll()
    // Applies the messages without the rest of a step.
    let messages = try stores.stream.read(from: replicas[0].reader.cursor + 1, limit: 64)
    for message in messages { try replicas[0].take(message) }
    #expect(replicas[0].database.end == erasure)
    try replicas[0].close()
    #expect(try files("one", with: canary) != [])
    let again = try replica("one")
    #expect(try again.database.mayHoldErased(through: erasure))
    #expect(again.erasedThrough(erasure) == 0)
    try again.catchUp()
    #expect(try files("one", with: canary) == [])
    #expect(again.erasedThrough(erasure) == erasure)
    try again.close()
    #expect(try replica("one").erasedThrough(erasure) == erasure)
  }

  @Test func `A stream that is lost after its purge is purged again`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    // The log with the canary is still in use.
    let erasure = try #require(try primary.erase(primary.symbols.intern("ada")).sequence)
    try publisher.publishAll()
    try replicas[0].catchUp()
    try check(publisher)
    #expect(messages(with: canary) == [])
    #expect(try primary.hasLog(startingBy: erasure))
    stores.stream.recreate()
    publisher.check()
    try publisher.publishAll()
    #expect(messages(with: canary) == [1])
    try check(publisher)
    #expect(messages(with: canary) == [])
    try replicas[0].catchUp()
    #expect(try replicas[0].database.historyEnd == primary.historyEnd)
  }

  @Test func `A merged segment without erased data is not compacted again`() throws {
    let (primary, _, _) = try cluster()
    let erasure = try erase(primary)
    #expect(try primary.mayHoldErased(through: erasure))
    try primary.releaseLogs(through: primary.end, startingBy: erasure)
    #expect(try !primary.mayHoldErased(through: erasure))
    try primary.close()
    let again = try stores.open()
    #expect(again.lastErasure == erasure)
    #expect(try !again.mayHoldErased(through: erasure))
  }

  @Test func `An erasure is confirmed by every replica, the stream and the store itself`() {
    func isConfirmed(_ replicas: [String], _ isInStream: Bool, _ isInStore: Bool) -> Bool {
      ErasureProgress(
        sequence: 1, replicas: replicas, isInStream: isInStream, isInStore: isInStore
      ).isConfirmed
    }
    #expect(isConfirmed([], false, false))
    #expect(!isConfirmed(["one"], false, false))
    #expect(!isConfirmed([], true, false))
    #expect(!isConfirmed([], false, true))
  }

  @Test(arguments: [false, true])
  func `No file and no message has erased data once every replica has removed it`(
    savesMore: Bool
  ) throws {
    let (primary, publisher, replicas) = try cluster("one", "two")
    let erasure = try erase(primary)
    if savesMore { try primary.save(5, subject: "ben") }
    try publisher.publishAll()
    try replicas[0].catchUp()
    try check(publisher)
    #expect(messages(with: canary) == [1])
    #expect(publisher.releasedThrough == 0)
    let progress = try #require(try primary.erasureProgress(stores.stream))
    #expect(
      progress
        == ErasureProgress(sequence: erasure, replicas: ["two"], isInStream: true, isInStore: true))
    try replicas[1].catchUp()
    try check(publisher)
    #expect(messages(with: canary) == [])
    for path in ["primary", "one", "two"] { #expect(try files(path, with: canary) == []) }
    #expect(publisher.releasedThrough == erasure)
    #expect(try primary.erasureProgress(stores.stream)?.isConfirmed == true)
    try primary.save(9, subject: "ben")
    try publisher.publishAll()
    for replica in replicas {
      try replica.catchUp()
      #expect(try replica.database.historyEnd == primary.historyEnd)
    }
    try primary.close()
    let again = try stores.open()
    let next = Publisher(again, stores.stream)
    try check(next, 2)
    #expect(next.releasedThrough == erasure)
  }

  @Test func `A stream whose only message has erased data gets another one first`() throws {
    let (primary, _, replicas) = try cluster("one")
    stores.stream.recreate()
    let publisher = Publisher(primary, stores.stream, confirmationCount: 2)
    let erasure = try erase(primary)
    // All commits are in one message.
    try publisher.publishAll()
    #expect(stores.stream.last == 1)
    try replicas[0].catchUp()
    try replicas[0].catchUp()
    try check(publisher)
    #expect(stores.stream.last == 2)
    #expect(stores.stream.first == 2)
    #expect(messages(with: canary) == [])
    #expect(publisher.releasedThrough == erasure)
    try primary.save(3, subject: "ben")
    try publisher.publishAll()
    for _ in 0..<3 { try replicas[0].catchUp() }
    #expect(try replicas[0].database.historyEnd == primary.historyEnd)
    try primary.close()
    // Another publisher continues after the message that was published twice.
    let again = try stores.open()
    let next = Publisher(again, stores.stream)
    try again.save(4, subject: "ben")
    try check(next, 2)
    try replicas[0].catchUp()
    #expect(try replicas[0].database.historyEnd == again.historyEnd)
    #expect(next.releasedThrough == erasure)
  }

  @Test func `A renamed subject leaves the stream although its samples are in the commit`() throws {
    let (primary, _, replicas) = try cluster("one")
    for value in 0..<40 { try primary.save(Double(value), subject: "ada") }
    try primary.move(primary.name("ada"), to: primary.name("eve"), isNew: true)
    try primary.compact()
    let parts = Publisher(primary, stores.stream, payloadLimit: 300, confirmationCount: 2)
    try parts.publishAll()
    try replicas[0].catchUp()
    try check(parts)
    #expect(parts.releasedThrough == primary.lastErasure)
    #expect(try replicas[0].database.historyEnd == primary.historyEnd)
  }

  @Test func `A replica behind the purged messages needs a backup`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    try stores.makeReplica("late", of: primary)
    let erasure = try erase(primary)
    try publisher.publishAll()
    try replicas[0].catchUp()
    try check(publisher)
    #expect(publisher.releasedThrough == erasure)
    let late = try stores.replica("late")
    #expect(throws: ReplicationError.needsBackup(end: 0)) {
      for _ in 0..<20 { _ = try late.step() }
    }
    try late.close()
    try Database.discardFiles(in: "late", fileSystem: stores.files)
    let copy = try stores.makeReplica("late", fromBackupOf: primary)
    try primary.save(3, subject: "ben")
    try publisher.publishAll()
    try copy.catchUp()
    #expect(try copy.database.historyEnd == primary.historyEnd)
  }

  @Test func `A report of an earlier release confirms no erasure`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    let erasure = try erase(primary)
    try publisher.publishAll()
    try replicas[0].catchUp()
    let end = try primary.historyEnd
    let report = ReplicaReport(
      storeID: primary.storeID, epoch: primary.epoch, term: 0, last: end.last, chain: end.chain)
    // The bytes of version 1 without the field.
    #expect(Array(report.encoded[48..<52]) == [0, 0, 0, 0])
    try stores.stream.report(report.encoded, from: "old")
    try check(publisher)
    #expect(messages(with: canary) == [1])
    #expect(try primary.erasureProgress(stores.stream)?.replicas == ["old"])
    #expect(!report.confirms(erasure, in: primary.epoch))
  }

  @Test func `A promoted replica completes the erasure of its predecessor`() throws {
    let (primary, publisher, replicas) = try cluster("one", "two")
    let erasure = try erase(primary)
    try publisher.publishAll()
    for replica in replicas { try replica.catchUp() }
    try Promotion(replicas[0]).finish()
    stores.stream.wipeReports()
    let next = try stores.open(promoted: replicas[0])
    let successor = Publisher(next, stores.stream, confirmationCount: 2)
    try successor.publishAll()
    for _ in 0..<300 { _ = try replicas[1].step() }
    try check(successor)
    #expect(messages(with: canary) == [])
    #expect(successor.releasedThrough == erasure)
    try next.save(8, subject: "ben")
    try successor.publishAll()
    try replicas[1].catchUp()
    #expect(try replicas[1].database.historyEnd == next.historyEnd)
  }

  @Test func `Messages that a replaced primary publishes again after a loss are purged`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    let erasure = try erase(primary)
    try publisher.publishAll()
    try replicas[0].catchUp()
    try Promotion(replicas[0]).finish()
    stores.stream.wipeReports()
    let next = try stores.open(promoted: replicas[0])
    let successor = Publisher(next, stores.stream, confirmationCount: 2)
    try successor.publishAll()
    try check(successor)
    #expect(successor.releasedThrough == erasure)
    stores.stream.recreate()
    try Publisher(primary, stores.stream).publishAll()
    #expect(messages(with: canary) != [])
    try check(successor, 8)
    #expect(messages(with: canary) == [])
    #expect(successor.releasedThrough == erasure)
  }

  @Test func `An erasure waits for a replica that receives a copy from before it`() throws {
    let (primary, publisher, replicas) = try cluster("one")
    let values = CopyValues(stores.shared)
    let sources = CopySources(CopySource(replicas[0].database, values, pieceSize: 100))
    var erasure: UInt64 = 0
    try Replica.receive(
      primary.storeID, at: "new", of: "the primary", transport: values, name: "new",
      fileSystem: stores.files
    ) { progress in
      if progress.isWaiting { return try sources.step() }
      guard progress.received >= 200, erasure == 0 else { return }
      erasure = try erase(primary)
      try publisher.publishAll()
      try replicas[0].catchUp()
      try check(publisher)
      #expect(try primary.erasureProgress(stores.stream)?.replicas == ["new"])
    }
    #expect(erasure > 0)
    #expect(try files("new", with: canary) != [])
    #expect(try files("one", with: canary) == [])
    #expect(messages(with: canary) == [1])
    let new = try replica("new")
    try new.catchUp()
    #expect(try files("new", with: canary) == [])
    try check(publisher)
    #expect(publisher.releasedThrough == erasure)
    #expect(messages(with: canary) == [])
    #expect(try new.database.values == primary.values)
  }
}
