import SampleLog
import Testing

/// Moving one subject's data to another.
@Suite struct MoveTests {
  private let files = MemoryFileSystem()

  private struct Contents: Hashable {
    var id: Identifier
    var names: [String]
    var bits: [UInt64]
    var extras: [UInt8]

    init(_ row: Row) {
      id = row.id
      // Symbols are specific to the process.
      let (block, place) = (row.block, row.row)
      names = [block.type, block.unit[place], block.source[place], block.device[place]]
        .map(block.symbols.text)
      bits = [row.start.bitPattern, row.end.bitPattern, row.value.bitPattern]
      extras = [UInt8](row.block.extras(at: row.row))
    }
  }

  private func rows(_ subject: String, _ database: Database) throws -> Set<Contents> {
    let keys = ["heartRate", "stepCount"].map { database.key($0, subject: subject) }
    return Set(try database.snapshot().select(keys).map(Contents.init))
  }

  /// The retained deletions of a subject, with all columns of the samples.
  private func deletions(_ subject: String, _ database: Database) throws -> Set<Contents> {
    let subject = database.symbols.intern(subject)
    return Set(
      try database.snapshot().changes(after: .beginning).changes.lazy
        .filter { $0.kind == .deletion && $0.row.subject == subject }.map { Contents($0.row) })
  }

  private func versioned(_ version: Int64, _ name: String = "sync") -> Extras {
    var extras = Extras()
    extras.syncIdentifier = Array(name.utf8)
    extras.syncVersion = version
    return extras
  }

  private func fill(_ database: Database, _ subjects: [String]) throws {
    for round in 0..<3 {
      for subject in subjects {
        for number in 0..<30 {
          var extras = Extras()
          if number % 3 == 0 { extras.metadata = Array("\(number)".utf8) }
          var batch = Batch()
          let id = Identifier()
          let time = Double(round * 30 + number)
          batch.add(
            to: database.key(number % 2 == 0 ? "heartRate" : "stepCount", subject: subject), id: id,
            start: time, end: time + Double(number % 4), value: Double(number),
            unit: database.symbols.intern("unit \(number % 3)"),
            source: database.symbols.intern("source \(number % 5)"),
            device: database.symbols.intern(number % 6 == 0 ? "" : "device \(number % 7)"),
            extras: batch.intern(extras: extras.encoded))
          try database.commit(batch)
          if number % 7 == 1 { try database.delete(id) }
        }
      }
      if round < 2 { try database.seal() }
    }
  }

  @Test
  func `The new subject has every bit of the old one's samples, and the old one has no data`()
    throws
  {
    var database = try Database.inMemory(files)
    try fill(database, ["ada", "bob"])
    try database.set("order", of: database.key("heartRate"), to: [1, 2])
    let (before, others) = (try rows("ada", database), try rows("bob", database))
    let (gone, othersGone) = (try deletions("ada", database), try deletions("bob", database))
    #expect(gone.count == 15)
    let anchor = Anchor(sequence: database.end)
    let (ada, eve) = (database.symbols.intern("ada"), database.symbols.intern("eve"))
    let result = try database.move(ada, to: eve, isNew: true)
    #expect(result.sampleCount == before.count && result.sequence == database.end)
    let page = try database.snapshot().changes(after: anchor)
    #expect(page.erasures.map(\.subject) == [ada])
    #expect(Set(page.changes.lazy.filter { $0.kind == .sample }.map { Contents($0.row) }) == before)
    #expect(page.changes.allSatisfy { $0.row.subject == eve })
    for step in 0..<4 {
      #expect(try rows("eve", database) == before)
      #expect(try rows("ada", database).isEmpty)
      #expect(try rows("bob", database) == others)
      #expect(try deletions("eve", database) == gone)
      #expect(try deletions("ada", database).isEmpty)
      #expect(try deletions("bob", database) == othersGone)
      for row in before {
        #expect(try database.snapshot().row(row.id)?.subject == database.symbols.intern("eve"))
      }
      #expect(
        try database.setting("order", of: database.key("heartRate", subject: "eve")) == [1, 2])
      #expect(try database.setting("order", of: database.key("heartRate")) == nil)
      try database.checkInvariants()
      switch step {
      case 0: try database.seal()
      case 1: _ = try database.compact()
      default:
        try database.close()
        database = try Database.inMemory(files)
      }
    }
  }

  @Test func `Merging keeps the later version of a sample, and the target's settings`() throws {
    let database = try Database.inMemory(files)
    try fill(database, ["ada", "bob"])
    try database.save(subject: "ada", value: 1, extras: versioned(5, "old"))
    try database.save(subject: "bob", value: 2, extras: versioned(7, "old"))
    let new = try database.save(subject: "ada", value: 3, extras: versioned(9, "new"))
    let replaced = try database.save(subject: "bob", value: 4, extras: versioned(8, "new"))
    for (subject, value) in [("ada", UInt8(1)), ("bob", 2)] {
      try database.set("order", of: database.key("heartRate", subject: subject), to: [value])
    }
    try database.set("goal", of: database.key("heartRate", subject: "ada"), to: [3])
    let both = try rows("ada", database).union(try rows("bob", database))
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    let result = try database.move(ada, to: bob, isNew: false)
    #expect(result.superseded == 1 && result.replaced == 1)
    let merged = try rows("bob", database)
    #expect(merged.count == both.count - 2 && merged.isSubset(of: both))
    #expect(merged.contains { $0.id == new } && !merged.contains { $0.id == replaced })
    #expect(try rows("ada", database).isEmpty)
    let key = database.key("heartRate", subject: "bob")
    #expect(try database.setting("order", of: key) == [2])
    #expect(try database.setting("goal", of: key) == [3])
    _ = try database.compact()
    #expect(try rows("bob", database) == merged)
    try database.checkInvariants()
  }

  @Test func `A move to an existing subject as a new one is refused and changes nothing`() throws {
    let database = try Database.inMemory(files) { $0.batchRecordLimit = 100 }
    try fill(database, ["ada", "bob"])
    let end = database.end
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    let before = try rows("ada", database)
    #expect(throws: StoreError.self) { try database.move(ada, to: bob, isNew: true) }
    try database.set(
      "order", of: database.key("heartRate", subject: "eve"), to: [1])
    let eve = database.symbols.intern("eve")
    #expect(throws: StoreError.self) { try database.move(ada, to: eve, isNew: true) }
    #expect(try database.move(ada, to: ada, isNew: true).sequence == nil)
    #expect(try rows("ada", database) == before && database.end == end + 1)
    // The name of an erased person may be used again.
    try database.erase(bob)
    #expect(try database.move(ada, to: bob, isNew: true).sampleCount == before.count)
    let unknown = database.symbols.intern("unknown")
    #expect(try database.move(unknown, to: eve, isNew: false).sequence == nil)
  }

  @Test func `A move of more records than a commit admits is refused`() throws {
    let database = try Database.inMemory(files) { $0.batchRecordLimit = 20 }
    for _ in 0..<25 { try database.save() }
    let (ada, eve) = (database.symbols.intern("ada"), database.symbols.intern("eve"))
    let error = #expect(throws: StoreError.self) { try database.move(ada, to: eve, isNew: true) }
    guard case .limitExceeded(.batchRecords, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try rows("ada", database).count == 25)
  }

  // MARK: Deletions

  /// Changes to the files between two moves.
  enum Between: CaseIterable { case nothing, seal, compact, reopen, crash }

  private func apply(
    _ between: Between, _ database: inout Database, _ files: inout MemoryFileSystem
  ) throws {
    switch between {
    case .nothing: break
    case .seal: try database.seal()
    case .compact: _ = try database.compact()
    case .reopen:
      try database.close()
      database = try Database.inMemory(files)
    case .crash:
      files = files.copy()
      database = try Database.inMemory(files)
    }
  }

  private func remembered(_ id: Identifier, of subject: String, _ database: Database) throws -> Bool
  {
    try database.snapshot().deleted([id], in: database.key("heartRate", subject: subject)) == [id]
  }

  @Test(arguments: Between.allCases, Between.allCases)
  func `A deletion survives a chain of moves`(
    before: Between, between: Between
  ) throws {
    var files = files
    var database = try Database.inMemory(files)
    let gone = try database.save(value: 1, extras: versioned(3))
    try database.save(value: 2)
    try apply(before, &database, &files)
    try database.delete(gone)
    let columns = try deletions("ada", database)
    try apply(between, &database, &files)
    for (from, to) in [("ada", "eve"), ("eve", "bob"), ("bob", "ada"), ("ada", "zoe")] {
      let symbols = database.symbols
      try database.save(subject: "bystander", value: 3)
      try database.move(symbols.intern(from), to: symbols.intern(to), isNew: to != "bob")
      try apply(between, &database, &files)
      #expect(try remembered(gone, of: to, database))
      #expect(try !remembered(gone, of: from, database))
      #expect(try deletions(to, database) == columns)
      try database.checkInvariants()
    }
    #expect(try rows("zoe", database).count == 1)
    // A subject that has only deletions is moved, too.
    try database.erase(database.symbols.intern("zoe"))
    #expect(try !remembered(gone, of: "zoe", database))
  }

  @Test func `The deletions of both subjects survive a merge in either direction`() throws {
    for isReversed in [false, true] {
      let database = try Database.inMemory(MemoryFileSystem())
      let ids = try ["ada", "bob"].map { subject in
        let id = try database.save(subject: subject)
        try database.delete(id)
        return id
      }
      let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
      let (from, to) = isReversed ? (bob, ada) : (ada, bob)
      let result = try database.move(from, to: to, isNew: false)
      #expect(result.sampleCount == 0 && result.sequence == database.end)
      for id in ids { #expect(try remembered(id, of: isReversed ? "ada" : "bob", database)) }
      try database.checkInvariants()
    }
  }

  @Test func `Moved deletions whose samples are in no file do not count rows as deleted`() throws {
    var database = try Database.inMemory(files)
    try fill(database, ["ada", "bob"])
    try database.compact()
    let moved = try rows("ada", database).count
    let count = try moved + rows("bob", database).count
    let (ada, eve) = (database.symbols.intern("ada"), database.symbols.intern("eve"))
    try #require(try deletions("ada", database).isEmpty == false)
    try database.move(ada, to: eve, isNew: true)
    for step in 0..<4 {
      let statistics = try database.statistics()
      #expect(statistics.sampleCount == count)
      // The rows under the old name stay in segments until these are merged.
      #expect(statistics.deletedRowCount == moved)
      switch step {
      case 0, 2:
        try database.close()
        database = try Database.inMemory(files)
      default: try database.seal()
      }
    }
  }

  @Test func `A version that is skipped or replaced counts as deleted`() throws {
    let database = try Database.inMemory(files)
    let left = try database.save(subject: "ada", value: 1, extras: versioned(1, "left"))
    let stays = try database.save(subject: "bob", value: 2, extras: versioned(2, "left"))
    let moves = try database.save(subject: "ada", value: 3, extras: versioned(9, "new"))
    let replaced = try database.save(subject: "bob", value: 4, extras: versioned(8, "new"))
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    try database.move(ada, to: bob, isNew: false)
    for _ in 0..<2 {
      #expect(try rows("bob", database).map(\.id).sorted() == [stays, moves].sorted())
      for (id, isGone) in [(left, true), (replaced, true), (stays, false), (moves, false)] {
        #expect(try remembered(id, of: "bob", database) == isGone)
      }
      try database.checkInvariants()
      _ = try database.compact()
    }
  }

  @Test func `A sample saved after its deletion remains, and the deletion is dropped`()
    throws
  {
    let database = try Database.inMemory(files)
    let (own, others) = (try database.save(), try database.save())
    for id in [own, others] { try database.delete(id) }
    try database.save(id: own)
    try database.save(subject: "bob", id: others)
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    try database.move(ada, to: bob, isNew: false)
    #expect(try rows("bob", database).map(\.id).sorted() == [own, others].sorted())
    #expect(try deletions("bob", database).isEmpty)
  }

  @Test func `Moved deletions use no quota, and their retention starts again`() throws {
    let time = Locked(0.0)
    let database = try Database.inMemory(files) {
      $0.subjectQuota = SubjectQuota(sampleCount: 3)
      $0.deletionRetention = .seconds(100)
      $0.clock = { time.withLock { $0 } }
    }
    for _ in 0..<4 { try database.delete(try database.save()) }
    try database.save(subject: "bob")
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    time.withLock { $0 = 90 }
    try database.move(ada, to: bob, isNew: false)
    // One sample is admitted, regardless of the deletions.
    for _ in 0..<2 { try database.save(subject: "bob") }
    #expect(throws: StoreError.self) { try database.save(subject: "bob") }
    for (now, count) in [(120.0, 4), (300, 0)] {
      time.withLock { $0 = now }
      try database.seal()
      _ = try database.compact()
      _ = try database.compact()
      #expect(try deletions("bob", database).count == count)
    }
    #expect(try database.statistics().deletedRowCount == 0)
  }

  @Test func `More deletions than a commit admits are refused`() throws {
    let database = try Database.inMemory(files) { $0.batchRecordLimit = 20 }
    for _ in 0..<25 { try database.delete(try database.save()) }
    let (ada, eve) = (database.symbols.intern("ada"), database.symbols.intern("eve"))
    #expect(throws: StoreError.self) { try database.move(ada, to: eve, isNew: true) }
    #expect(try deletions("ada", database).count == 25)
  }

  @Test func `Skipped versions of every type count as deleted`() throws {
    let database = try Database.inMemory(files)
    var left: [(type: String, id: Identifier, sequence: UInt64)] = []
    for type in ["bodyMass", "heartRate", "stepCount"] {
      for number in 0..<3 {
        let id = try database.save(type, subject: "ada", extras: versioned(1, "\(number)"))
        left.append((type, id, database.end))
        try database.save(type, subject: "bob", extras: versioned(2, "\(number)"))
      }
      try database.seal()
    }
    let symbols = database.symbols
    let result = try database.move(symbols.intern("ada"), to: symbols.intern("bob"), isNew: false)
    #expect(result.superseded == 9 && result.sampleCount == 0 && result.replaced == 0)
    var targets: [Identifier: UInt64] = [:]
    for change in try database.snapshot().changes(after: .beginning).changes
    where change.kind == .deletion {
      targets[change.row.id] = change.row.block.target[change.row.row]
    }
    for (type, id, sequence) in left {
      let key = database.key(type, subject: "bob")
      #expect(try database.snapshot().deleted([id], in: key) == [id], "\(type)")
      #expect(targets[id] == sequence)
    }
  }

  @Test func `A moved deletion has the target of the original one`() throws {
    let database = try Database.inMemory(files)
    try database.save()
    let gone = try database.save()
    try database.delete(gone)
    func targets() throws -> [UInt64] {
      try database.snapshot().changes(after: .beginning).changes.filter { $0.kind == .deletion }
        .map { $0.row.block.target[$0.row.row] }
    }
    #expect(try targets() == [2])
    let symbols = database.symbols
    try database.move(symbols.intern("ada"), to: symbols.intern("bob"), isNew: true)
    #expect(try targets() == [2])
    try database.seal()
    #expect(try targets() == [2])
  }

  @Test func `A setting that the other subject removed is replaced by the moved one`() throws {
    let database = try Database.inMemory(files)
    for (subject, value) in [("ada", [1] as [UInt8]), ("bob", [2]), ("bob", [])] {
      try database.set("order", of: database.key("heartRate", subject: subject), to: value)
    }
    let symbols = database.symbols
    try database.move(symbols.intern("ada"), to: symbols.intern("bob"), isNew: false)
    #expect(try database.setting("order", of: database.key("heartRate", subject: "bob")) == [1])
  }

  @Test func `A setting that the subject removed does not move`() throws {
    let database = try Database.inMemory(files)
    for value in [[1] as [UInt8], []] {
      try database.set("order", of: database.key("heartRate"), to: value)
    }
    try database.save()
    let (end, symbols) = (database.end, database.symbols)
    let result = try database.move(
      symbols.intern("ada"), to: symbols.intern("bob"), isNew: false)
    // The records are the sample and the erasure.
    #expect(result.sequence == end + 2 && database.end == end + 2)
  }

  @Test func `A move within a subject or of an unknown one changes and counts nothing`() throws {
    let database = try Database.inMemory(files)
    try database.save()
    let (ada, eve) = (database.symbols.intern("ada"), database.symbols.intern("eve"))
    for (from, to) in [(ada, ada), (eve, ada)] {
      let result = try database.move(from, to: to, isNew: false)
      #expect(result.sampleCount == 0 && result.superseded == 0 && result.replaced == 0)
      #expect(result.sequence == nil && database.end == 1)
    }
    for (from, to) in [(ada, Symbol(1000)), (Symbol(1000), ada)] {
      #expect(throws: StoreError.self) {
        try database.move(from, to: to, isNew: false)
      }
    }
    let reader = try Database.inMemory(files, mode: .readOnly)
    #expect(throws: StoreError.readOnly) { try reader.move(ada, to: ada, isNew: false) }
  }

  @Test func `A move is recorded as an erasure at the time of the move`() throws {
    let time = Locked(5.0)
    let database = try Database.inMemory(files) { $0.clock = { time.withLock { $0 } } }
    try database.save()
    let anchor = Anchor(sequence: database.end)
    time.withLock { $0 = 77 }
    let symbols = database.symbols
    try database.move(symbols.intern("ada"), to: symbols.intern("bob"), isNew: true)
    #expect(try database.snapshot().changes(after: anchor).erasures.map(\.time) == [77])
  }
}
