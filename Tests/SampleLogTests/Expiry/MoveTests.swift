import SampleLog
import Testing

/// Making one subject's data another's.
@Suite struct MoveTests {
  private let files = MemoryFileSystem()

  private struct Row: Hashable {
    var id: Identifier
    var names: [String]
    var bits: [UInt64]
    var extras: [UInt8]

    init(_ row: RowReference) {
      id = row.id
      // Numbers of names are those of one process.
      let (block, place) = (row.block, row.row)
      names = [block.type, block.unit[place], block.source[place]].map(block.symbols.text)
      bits = [row.start.bitPattern, row.end.bitPattern, row.value.bitPattern]
      extras = [UInt8](row.block.extras(at: row.row))
    }
  }

  private func rows(_ subject: String, _ database: Database) throws -> Set<Row> {
    let keys = ["heartRate", "stepCount"].map { database.key($0, subject: subject) }
    return Set(try database.snapshot().select(keys).map(Row.init))
  }

  private func versioned(_ version: Int64, _ name: String = "sync") -> Extras {
    var extras = Extras()
    extras.syncIdentifier = Array(name.utf8)
    extras.syncVersion = version
    return extras
  }

  private func fill(_ database: Database, _ people: [String]) throws {
    for round in 0..<3 {
      for person in people {
        for number in 0..<30 {
          var extras = Extras()
          if number % 3 == 0 { extras.metadata = Array("\(number)".utf8) }
          let id = try database.save(
            number % 2 == 0 ? "heartRate" : "stepCount", subject: person,
            start: Double(round * 30 + number), value: Double(number), extras: extras)
          if number % 7 == 1 { try database.delete(id) }
        }
      }
      if round < 2 { try database.seal() }
    }
  }

  @Test func `A new name has every bit of the old one's samples, and the old one nothing`() throws {
    var database = try Database.inMemory(files)
    try fill(database, ["ada", "bob"])
    try database.set("order", of: database.key("heartRate"), to: [1, 2])
    let (before, others) = (try rows("ada", database), try rows("bob", database))
    let anchor = Anchor(sequence: database.end)
    let (ada, eve) = (database.symbols.intern("ada"), database.symbols.intern("eve"))
    let result = try database.move(ada, to: eve, isNew: true)
    #expect(result.sampleCount == before.count && result.sequence == database.end)
    let page = try database.snapshot().changes(after: anchor)
    #expect(page.erasures.map(\.subject) == [ada])
    #expect(Set(page.changes.map { Row($0.row) }) == before)
    #expect(page.changes.allSatisfy { $0.row.subject == eve })
    for step in 0..<4 {
      #expect(try rows("eve", database) == before)
      #expect(try rows("ada", database).isEmpty)
      #expect(try rows("bob", database) == others)
      for row in before {
        #expect(try database.snapshot().row(row.id)?.subject == database.symbols.intern("eve"))
      }
      #expect(
        database.setting("order", of: database.key("heartRate", subject: "eve")) == [1, 2])
      #expect(database.setting("order", of: database.key("heartRate")) == nil)
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

  @Test func `Merging keeps the later version of what both have, and the other's settings`() throws
  {
    let database = try Database.inMemory(files)
    try fill(database, ["ada", "bob"])
    try database.save(subject: "ada", value: 1, extras: versioned(5, "old"))
    try database.save(subject: "bob", value: 2, extras: versioned(7, "old"))
    let new = try database.save(subject: "ada", value: 3, extras: versioned(9, "new"))
    let replaced = try database.save(subject: "bob", value: 4, extras: versioned(8, "new"))
    for (person, value) in [("ada", UInt8(1)), ("bob", 2)] {
      try database.set("order", of: database.key("heartRate", subject: person), to: [value])
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
    #expect(database.setting("order", of: key) == [2])
    #expect(database.setting("goal", of: key) == [3])
    _ = try database.compact()
    #expect(try rows("bob", database) == merged)
    try database.checkInvariants()
  }

  @Test func `A name that somebody has is refused, and then nothing has changed`() throws {
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
    // A person who is gone can be somebody's name again.
    try database.erase(bob)
    #expect(try database.move(ada, to: bob, isNew: true).sampleCount == before.count)
    let nobody = database.symbols.intern("nobody")
    #expect(try database.move(nobody, to: eve, isNew: false).sequence == nil)
  }

  @Test func `More than one commit can have is refused`() throws {
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
}
