import FoundationEssentials
import SampleLog
import Testing

/// Erasing a subject removes it from all results, feeds and files, and leaves others unchanged.
@Suite struct EraseTests {
  /// The location of the rows when the subject is erased.
  enum Arrangement: CaseIterable {
    case log, sealed, segments, mixed, compacted
  }

  private let files = MemoryFileSystem()

  private func open(
    mode: OpenMode = .readWrite, _ change: (inout Database.Options) -> Void = { _ in }
  ) throws -> Database {
    try Database.inMemory(files, mode: mode, change)
  }

  @Test func `A read-only or closed store erases nothing`() throws {
    let database = try open()
    try database.save(value: 1)
    let ada = database.symbols.intern("ada")
    try database.close()
    #expect(throws: StoreError.closed) { try database.erase(ada) }
    let reader = try open(mode: .readOnly)
    #expect(throws: StoreError.readOnly) { try reader.erase(reader.symbols.intern("ada")) }
    #expect(try reader.values() == [1])
  }

  /// Creates samples, deletions, versions and settings of two people, interleaved.
  private func fill(_ database: Database, _ arrangement: Arrangement) throws {
    for round in 0..<3 {
      for subject in ["ada", "bob"] {
        for number in 0..<20 {
          var extras = Extras()
          if number == 7 {
            extras.syncIdentifier = Array("sync".utf8)
            extras.syncVersion = Int64(round)
          }
          if number == 8 { extras.metadata = Array("secret of \(subject)".utf8) }
          let id = try database.save(
            number % 2 == 0 ? "heartRate" : "stepCount", subject: subject,
            start: Double(round * 20 + number), value: Double(number),
            source: "watch of \(subject)", extras: extras)
          if number % 5 == 1 { try database.delete(id) }
        }
        let key = database.key("heartRate", subject: subject)
        try database.set("order", of: key, to: Array("order of \(subject)".utf8))
        try database.register(key, frequency: 1)
      }
      switch arrangement {
      case .log: break
      case .sealed: if round == 2 { try database.seal() }
      case .segments: try database.seal()
      case .mixed: if round < 2 { try database.seal() }
      case .compacted: _ = try database.compact()
      }
    }
  }

  private struct Contents: Hashable {
    var kind: RowKind
    var sequence: UInt64
    var id: Identifier
    var bits: [UInt64]
    var extras: [UInt8]
    var source: String

    init(_ row: Row, _ database: Database) {
      kind = row.block.kind
      sequence = row.sequence
      id = row.id
      bits = [row.start.bitPattern, row.end.bitPattern, row.value.bitPattern]
      extras = [UInt8](row.block.extras(at: row.row))
      source = database.symbols.text(row.block.source[row.row])
    }
  }

  /// A person's live samples, feed from the beginning, newest samples and settings.
  private struct Answers: Hashable {
    var live: [Contents] = []
    var feed: [Contents] = []
    var newest: [UInt64?] = []
    var settings: [[UInt8]?] = []
    var found = 0

    init(_ database: Database, _ subject: String) throws {
      let snapshot = database.snapshot()
      let keys = ["heartRate", "stepCount"].map { database.key($0, subject: subject) }
      live = try snapshot.select(keys, order: .start(ascending: true)).map {
        Contents($0, database)
      }
      feed = try snapshot.changes(after: .beginning, in: keys).changes.map {
        Contents($0.row, database)
      }
      newest = try keys.map { try snapshot.newest($0)?.sequence }
      settings = try keys.map { try database.setting("order", of: $0) }
      settings.append(try database.registration(of: keys[0]).map { [$0.frequency] })
      for row in live where try snapshot.row(row.id) != nil { found += 1 }
    }

    static let none = [[Contents]](repeating: [], count: 2)
  }

  private func expectNothing(of subject: String, _ database: Database, _ ids: [Identifier]) throws {
    let answers = try Answers(database, subject)
    #expect(answers.live.isEmpty)
    #expect(answers.feed.isEmpty)
    #expect(answers.newest == [nil, nil])
    #expect(answers.settings == [nil, nil, nil])
    let snapshot = database.snapshot()
    let key = database.key("stepCount", subject: subject)
    #expect(try snapshot.row(key, syncIdentifier: Array("sync".utf8)) == nil)
    for id in ids { #expect(try snapshot.row(id) == nil) }
    #expect(try snapshot.sources(of: SeriesSelection([key])).isEmpty)
    let everything = try snapshot.changes(after: .beginning)
    #expect(!everything.changes.contains { $0.row.subject == key.subject })
    #expect(try snapshot.subjects().allSatisfy { $0.subject != key.subject })
    try database.checkInvariants()
  }

  @Test(arguments: Arrangement.allCases)
  func `Erased data is absent from every result, and other subjects keep every bit`(
    _ arrangement: Arrangement
  ) throws {
    var database = try open()
    try fill(database, arrangement)
    let before = try Answers(database, "bob")
    let ids = try Answers(database, "ada").live.map(\.id)
    let end = database.end
    let result = try database.erase(database.symbols.intern("ada"))
    #expect(result.sampleCount == ids.count)
    #expect(result.sequence == end + 1)
    #expect(database.end == end + 1, "one record for any number of rows")
    func check() throws {
      try expectNothing(of: "ada", database, ids)
      #expect(try Answers(database, "bob") == before)
      #expect(try database.statistics().sampleCount == before.live.count)
    }
    try check()
    for step in 0..<4 {
      try database.close()
      database = try open { $0.deletionRetention = .seconds(1e9) }
      try check()
      if step == 0 { try database.seal() }
      if step > 0 { _ = try database.compact() }
      try check()
    }
    try database.close()
  }

  @Test(arguments: Arrangement.allCases)
  func `One compaction removes an erased subject from every file and from backups`(
    _ arrangement: Arrangement
  ) throws {
    let database = try open { $0.deletionRetention = .seconds(1e9) }
    try fill(database, arrangement)
    // LZ4 may alter these bytes elsewhere; names and settings contain them unchanged.
    let canaries = ["watch of ada", "secret of ada", "order of ada"].map { Array($0.utf8) }
    try database.erase(database.symbols.intern("ada"))
    _ = try database.compact()
    try database.backup(to: "backup")
    for directory in ["store", "backup"] {
      for name in try #require(files.list(directory)) {
        let file = try files.open(directory + "/" + name, .read)
        let bytes = try file.bytes(try file.size(), at: 0) ?? []
        for canary in canaries {
          #expect(!bytes.contains(canary), "\(String(decoding: canary, as: UTF8.self)) in \(name)")
        }
        guard FileNames.segmentRange(name) != nil else { continue }
        let segment = try Segment(file: file, name: name, symbols: database.symbols)
        let ada = database.symbols.intern("ada")
        #expect(!segment.hasRows(of: ada))
      }
    }
  }

  @Test
  func `The record of an erasure is forgotten with the subject's name, as deletions are`() throws {
    let clock = TestClock()
    let database = try open {
      $0.clock = { clock.now }
      $0.deletionRetention = .seconds(100)
    }
    try fill(database, .mixed)
    try database.acknowledge("copy", through: 3)
    let erasure = try database.erase(database.symbols.intern("ada"))
    func hasName() throws -> Bool {
      try #require(files.list("store")).contains { name in
        let file = try files.open("store/" + name, .read)
        return try (file.bytes(try file.size(), at: 0) ?? []).contains(Array("ada".utf8))
      }
    }
    _ = try database.compact()
    #expect(try hasName())
    clock.now += 200
    // The copy was made before the erasure.
    try database.save(subject: "bob", start: 500)
    _ = try database.compact()
    #expect(try hasName())
    #expect(
      try database.snapshot().changes(after: Anchor(sequence: 3)).erasures.map(\.sequence) == [
        erasure.sequence
      ])
    try database.removeAcknowledgement("copy")
    try database.removeRegistrations(ofSubject: database.symbols.intern("bob"))
    _ = try database.compact()
    #expect(try !hasName())
    let floor = database.snapshot().floor
    #expect(floor >= erasure.sequence ?? .max)
    #expect(throws: StoreError.anchorExpired(anchor: 3, floor: floor)) {
      try database.snapshot().changes(after: Anchor(sequence: 3), in: [database.key("heartRate")])
    }
    let page = try database.snapshot().changes(after: database.anchor(at: floor))
    #expect(page.erasures.isEmpty)
    try database.close()
    let again = try open()
    try expectNothing(of: "ada", again, [])
  }

  @Test func `An erased subject may be saved again, with its former identifiers`() throws {
    var database = try open()
    try fill(database, .mixed)
    let old = try Answers(database, "ada").live
    try database.erase(database.symbols.intern("ada"))
    var versioned = Extras()
    versioned.syncIdentifier = Array("sync".utf8)
    try database.save(
      "heartRate", subject: "ada", start: 5, value: 99, extras: versioned, id: old[0].id)
    try database.set("order", of: database.key("heartRate"), to: [1])
    for _ in 0..<3 {
      #expect(try database.values() == [99])
      #expect(try database.snapshot().row(old[0].id)?.value == 99)
      #expect(try database.setting("order", of: database.key("heartRate")) == [1])
      let feed = try database.snapshot().changes(after: .beginning, in: [database.key("heartRate")])
      #expect(feed.changes.map(\.row.value) == [99])
      try database.checkInvariants()
      _ = try database.compact()
      try database.close()
      database = try open()
    }
    #expect(try database.erase(database.symbols.intern("ada")).sampleCount == 1)
    try expectNothing(of: "ada", database, [old[0].id])
  }

  @Test func `Erasing a subject without data does nothing`() throws {
    let database = try open()
    try fill(database, .log)
    let end = database.end
    #expect(try database.erase(database.symbols.intern("eve")).sequence == nil)
    #expect(database.end == end)
    #expect(throws: StoreError.self) { try database.erase(.max) }
    // Settings alone count as data.
    try database.set("order", of: database.key("heartRate", subject: "eve"), to: [1])
    #expect(try database.erase(database.symbols.intern("eve")).sequence == end + 2)
    #expect(try database.erase(database.symbols.intern("eve")).sequence == nil)
    #expect(try database.setting("order", of: database.key("heartRate", subject: "eve")) == nil)
  }

  @Test func `A save that depends on rows erased meanwhile is prepared again`() throws {
    let database = try open()
    var versioned = Extras()
    versioned.syncIdentifier = [1]
    versioned.syncVersion = 5
    try database.save(start: 1, value: 1, extras: versioned)
    var attempts = 0
    let result = try database.commit { _ in
      attempts += 1
      var batch = Batch()
      let number = batch.intern(extras: versioned.encoded)
      batch.add(to: database.key("heartRate"), start: 2, value: 2, extras: number)
      batch.add(to: database.key("heartRate"), start: 3, value: 3)
      if attempts == 1 {
        // This erases another subject.
        try database.erase(database.symbols.intern("ada"))
      }
      return batch
    }
    #expect(attempts == 2)
    #expect(result.superseded == 0)
    #expect(try database.values() == [2, 3])
  }

  @Test func `An unreadable block ends the erasure before it changes anything`() throws {
    let database = try open()
    try fill(database, .sealed)
    let live = try Answers(database, "ada").live.count
    try database.close()
    let name = try #require(files.list("store")?.first { FileNames.segmentRange($0) != nil })
    // The first bytes of the first block; opening reads only parts after all blocks.
    let file = try files.open("store/" + name, .update)
    var bytes = try #require(try file.bytes(2000, at: 80))
    for index in bytes.indices { bytes[index] ^= 0x55 }
    try bytes.withUnsafeBytes { try file.write($0, at: 80) }
    let again = try open { $0.toleratesDamage = true }
    let end = again.end
    // The order of the symbols determines which person's blocks come first.
    let results = ["ada", "bob"].map { name in
      Result { try again.erase(again.symbols.intern(name)) }
    }
    #expect(live > 0)
    #expect(results.contains { if case .failure(StoreError.damaged) = $0 { true } else { false } })
    let erased = results.count { if case .success = $0 { true } else { false } }
    #expect(again.end == end + UInt64(erased))
  }

  @Test func `A reader in another process sees the erasure after a refresh`() throws {
    let database = try open()
    try fill(database, .mixed)
    let reader = try open(mode: .readOnly)
    let heard = Heard()
    let feed = try ChangeFeed(reader, after: nil, of: SeriesSelection([reader.key("heartRate")])) {
      heard.count += 1
    }
    #expect(try feed.next() != nil)
    try database.erase(database.symbols.intern("ada"))
    #expect(try Answers(reader, "ada").live.count > 0)
    #expect(try reader.refresh())
    try expectNothing(of: "ada", reader, [])
    #expect(heard.count == 1)
    #expect(throws: StoreError.erased(subject: "ada", sequence: database.end)) { try feed.next() }
    feed.cancel()
  }

  @Test func `A repaired store contains no data of an erased subject`() throws {
    let database = try open()
    try fill(database, .mixed)
    try database.erase(database.symbols.intern("ada"))
    let before = try Answers(database, "bob")
    try database.close()
    // Replaces the zero that ends the first segment's magic number.
    let name = try #require(files.list("store")?.first { FileNames.segmentRange($0) != nil })
    let file = try files.open("store/" + name, .update)
    try [0x11 as UInt8].withUnsafeBytes { try file.write($0, at: 79) }
    _ = try Database.repair(from: "store", to: "repaired", fileSystem: files)
    let repaired = try Database(path: "repaired", options: testOptions(), fileSystem: files)
    try expectNothing(of: "ada", repaired, [])
    #expect(try Answers(repaired, "bob").live == before.live)
  }
}

private final class Heard: @unchecked Sendable {
  var count = 0
}

private final class TestClock: @unchecked Sendable {
  var now = 1000.0
}
