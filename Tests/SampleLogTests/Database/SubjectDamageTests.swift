import SampleLog
import SampleLogSimulation
import Testing

/// Damaged files never return one person's rows for another.
@Suite struct SubjectDamageTests {
  private static let subjects = 12

  /// A store whose values encode the person's number modulo one hundred, in segments and a log.
  private func makeStore() throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files) { $0.blockRowCount = 16 }
    var random = Seeded(7)
    for round in 0..<3 {
      for subject in 0..<Self.subjects {
        var batch = Batch()
        for _ in 0..<20 + random.below(30) {
          batch.add(
            to: database.key("heartRate", subject: "p\(subject)"),
            id: Identifier(high: random.next(), low: random.next()),
            start: Double(random.below(1000)), value: Double(subject + 100 * random.below(1000)))
        }
        try database.commit(batch)
      }
      if round < 2 { try database.seal() }
    }
    try database.close()
    return files
  }

  private func expectOwn(_ database: Database, _ step: Int) throws -> Int {
    let snapshot = database.snapshot()
    var rows = 0
    for subject in 0..<Self.subjects {
      let key = database.key("heartRate", subject: "p\(subject)")
      func check(_ body: () throws -> [Row]) throws {
        do {
          let found = try body()
          rows += found.count
          #expect(
            found.allSatisfy { Int($0.value) % 100 == subject && $0.key == key },
            "step \(step): \(key) has a row of another subject")
        } catch StoreError.damaged {}
      }
      try check { Array(try snapshot.select([key])) }
      try check { Array(try snapshot.select([key], order: .start(ascending: false), limit: 3)) }
      try check { try snapshot.newest(key).map { [$0] } ?? [] }
      try check { try snapshot.changes(after: .beginning, in: [key]).changes.map(\.row) }
      try check {
        try snapshot.changes(after: .beginning).changes.map(\.row).filter { $0.key == key }
      }
    }
    return rows
  }

  @Test func `For any wrong byte, every returned row belongs to the person queried`()
    throws
  {
    let whole = try makeStore()
    var random = Seeded(8)
    var rows: Set<Int> = []
    for step in 0..<Trials.count(160, quick: 30) {
      let files = whole.copy()
      let names = try #require(files.list("store")).filter(FileNames.isData)
      let file = try files.open("store/" + names[random.below(names.count)], .update)
      let size = try file.size()
      // A flipped bit, or a range of bytes from elsewhere in the file.
      let at = random.below(size)
      if step % 2 == 0 {
        let byte = try #require(try file.bytes(1, at: at))[0] ^ 1 << UInt8(random.below(8))
        try [byte].withUnsafeBytes { try file.write($0, at: at) }
      } else {
        let length = min(1 + random.below(512), size - at)
        let other = random.below(size - length + 1)
        let bytes = try #require(try file.bytes(length, at: other))
        try bytes.withUnsafeBytes { try file.write($0, at: at) }
      }
      do {
        let database = try Database.inMemory(files, mode: .readOnly) { $0.toleratesDamage = true }
        rows.insert(try expectOwn(database, step))
      } catch StoreError.damaged {
      } catch StoreError.unsupportedVersion {
      } catch StoreError.anchorOfAnotherStore {}
    }
    #expect(rows.count > 10, "damage was met while reading")
  }
}
