import FoundationEssentials
import SampleLog
import Testing

@Suite struct CommitTests {
  @Test func `A committed sample is returned bit by bit`() throws {
    let database = try Database.inMemory()
    var extras = Extras()
    extras.metadata = [1, 2, 3]
    let id = try database.save(
      start: 0.1, end: 0.30000000000000004, value: -0.0, unit: "kg", source: "scale",
      extras: extras)
    let row = try #require(try database.snapshot().row(id))
    #expect(row.block.start[row.row] == 0.1)
    #expect(row.block.end[row.row] == 0.30000000000000004)
    #expect(row.block.value[row.row].bitPattern == (-0.0).bitPattern)
    #expect(database.symbols.text(row.block.unit[row.row]) == "kg")
    #expect(database.symbols.text(row.block.source[row.row]) == "scale")
    #expect(database.symbols.text(row.block.type) == "heartRate")
    #expect(Extras(row.block.extras(at: row.row)) == extras)
  }

  @Test func `Identifiers that share a half are each found in a segment`()
    throws
  {
    let database = try Database.inMemory()
    let key = database.key("heartRate")
    var batch = Batch()
    for index in 0..<5000 {
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(high: 7, low: UInt64(index) << 20),
        start: Double(index), end: Double(index), value: Double(index))
    }
    try database.commit(batch)
    try database.seal()
    let snapshot = database.snapshot()
    for index in stride(from: 0, to: 5000, by: 37) {
      #expect(
        try snapshot.row(Identifier(high: 7, low: UInt64(index) << 20))?.value == Double(index))
    }
    #expect(try snapshot.row(Identifier(high: 7, low: 1)) == nil)
    #expect(try snapshot.row(Identifier(high: 8, low: 0)) == nil)
  }

  @Test func `Sequence numbers of a batch are consecutive and rise`() throws {
    let database = try Database.inMemory()
    var batch = Batch()
    for index in 0..<5 {
      batch.add(
        subject: 0, type: database.symbols.intern("t"), id: Identifier(UUID()),
        start: Double(index), end: Double(index), value: 0)
    }
    #expect(try database.commit(batch).sequences == 1...5)
    try database.save()
    #expect(database.end == 6)
  }

  @Test func `An identifier that is in the store fails the whole batch`()
    throws
  {
    let database = try Database.inMemory()
    let id = try database.save(value: 1)
    var batch = Batch()
    let key = database.key("heartRate")
    batch.add(
      subject: key.subject, type: key.type, id: Identifier(UUID()), start: 0, end: 0, value: 2)
    batch.add(subject: key.subject, type: key.type, id: id, start: 0, end: 0, value: 3)
    #expect(throws: StoreError.duplicate(id)) { try database.commit(batch) }
    #expect(try database.values() == [1])
    #expect(database.end == 1)
  }

  @Test func `A duplicate identifier in a batch is refused`() throws {
    let database = try Database.inMemory()
    let id = Identifier(UUID())
    var batch = Batch()
    batch.add(subject: 0, type: 0, id: id, start: 0, end: 0, value: 0)
    batch.add(subject: 0, type: 0, id: id, start: 1, end: 1, value: 0)
    #expect(throws: StoreError.duplicate(id)) { try database.commit(batch) }
  }

  @Test(arguments: [
    (Double.nan, 0.0), (0, .nan), (1, 0), (-.infinity, 0), (0, .infinity),
  ])
  func `Invalid dates are refused`(start: Double, end: Double) throws {
    let database = try Database.inMemory()
    #expect(throws: StoreError.self) { try database.save(start: start, end: end) }
    #expect(database.end == 0)
  }

  @Test
  func `A deleted sample is not found, may be saved again, and cannot be deleted twice`() throws {
    let database = try Database.inMemory()
    let id = try database.save(value: 7)
    try database.delete(id)
    #expect(try database.values().isEmpty)
    #expect(try database.snapshot().row(id) == nil)
    #expect(throws: StoreError.notFound(id)) { try database.delete(id) }
    try database.save(value: 8, id: id)
    #expect(try database.values() == [8])
  }

  @Test func `A sample that a batch deletes twice, or also replaces, is deleted once`() throws {
    let database = try Database.inMemory()
    var extras = Extras()
    extras.syncIdentifier = Array("meal".utf8)
    extras.syncVersion = 1
    let replaced = try database.save(value: 1, extras: extras)
    let other = try database.save(value: 2)
    extras.syncVersion = 2
    var batch = Batch()
    let key = database.key("heartRate")
    batch.add(
      subject: key.subject, type: key.type, id: Identifier(UUID()), start: 0, end: 0, value: 3,
      extras: batch.intern(extras: extras.encoded))
    for id in [other, replaced, other] { batch.delete(id) }
    try database.commit(batch)
    #expect(try database.values() == [3])
    // Two samples, two deletions and one more sample.
    #expect(database.end == 5)
    let third = try database.save(value: 4)
    batch = Batch()
    batch.delete(third)
    batch.delete(third)
    try database.commit(batch)
    #expect(database.end == 7)
  }

  @Test func `A batch with a deletion of an unknown sample changes nothing`() throws {
    let database = try Database.inMemory()
    let known = try database.save()
    let unknown = Identifier(UUID())
    var batch = Batch()
    batch.delete(known)
    batch.delete(unknown)
    #expect(throws: StoreError.notFound(unknown)) { try database.commit(batch) }
    #expect(try database.values() == [60])
  }

  @Test func `A newer version replaces an older one, and an older one is skipped`() throws {
    let database = try Database.inMemory()
    func save(_ version: Int64, _ value: Double) throws {
      var extras = Extras()
      extras.syncIdentifier = Array("meal".utf8)
      extras.syncVersion = version
      try database.save(value: value, extras: extras)
    }
    try save(2, 20)
    try save(1, 10)
    try save(2, 21)
    #expect(try database.values() == [20])
    try database.seal()
    try save(3, 30)
    #expect(try database.values() == [30])
    let page = try database.snapshot().changes(after: Anchor(sequence: 1))
    #expect(page.changes.map(\.kind) == [.deletion, .sample])
  }

  @Test func `A batch with several versions keeps the newest only`() throws {
    let database = try Database.inMemory()
    var batch = Batch()
    for version in [1, 3, 2] as [Int64] {
      var extras = Extras()
      extras.syncIdentifier = [1]
      extras.syncVersion = version
      let key = database.key("heartRate")
      let number = batch.intern(extras: extras.encoded)
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(UUID()), start: 0, end: 0,
        value: Double(version), extras: number)
    }
    #expect(try database.commit(batch).superseded == 2)
    #expect(try database.values() == [3])
  }

  @Test func `Samples without a sync identifier coexist with one that has it`() throws {
    let database = try Database.inMemory()
    let key = database.key("heartRate")
    var batch = Batch()
    for (index, name) in ["", "meal", "", ""].enumerated() {
      var extras = Extras()
      extras.syncIdentifier = Array(name.utf8)
      // Rows without metadata and sync identifier have no extras.
      extras.metadata = index == 3 ? [] : [UInt8(index + 1)]
      let number = batch.intern(extras: index == 3 ? [] : extras.encoded)
      #expect((number == 0) == (index == 3))
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(UUID()), start: Double(index),
        end: Double(index), value: Double(index), extras: number)
    }
    #expect(try database.commit(batch).superseded == 0)
    #expect(try database.values() == [0, 1, 2, 3])
  }

  @Test
  func `Replaced versions are deleted in the order in which their replacements were added`() throws
  {
    let database = try Database.inMemory()
    let names = (0..<8).map { "meal \($0 * 5 % 8)" }
    var ids: [Identifier] = []
    for version: Int64 in 1...2 {
      var batch = Batch()
      let key = database.key("heartRate")
      for name in names {
        var extras = Extras()
        extras.syncIdentifier = Array(name.utf8)
        extras.syncVersion = version
        let id = Identifier(UUID())
        if version == 1 { ids.append(id) }
        batch.add(
          subject: key.subject, type: key.type, id: id, start: 0, end: 0, value: Double(version),
          extras: batch.intern(extras: extras.encoded))
      }
      #expect(try database.commit(batch).replaced == (version == 1 ? 0 : 8))
    }
    let page = try database.snapshot().changes(after: Anchor(sequence: 8), limit: 8)
    #expect(page.changes.map(\.row.id) == ids)
  }

  @Test func `Settings of a batch follow its deletions and samples, and are sealed with them`()
    throws
  {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    let id = try database.save(value: 1)
    var batch = Batch()
    #expect(batch.isEmpty)
    for name in ["a", "b"] {
      var writer = ByteWriter()
      writer.fixed(UInt64(name == "a" ? 1 : 0))
      batch.set(Array("subscription/\(name)".utf8), to: writer.bytes)
    }
    #expect(!batch.isEmpty)
    batch.delete(id)
    let key = database.key("heartRate")
    for value in 2...4 {
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(UUID()), start: 0, end: 0,
        value: Double(value))
    }
    #expect(try database.commit(batch).sequences == 2...7)
    try database.seal()
    try database.save(value: 5)
    #expect(try Database.inMemory(files.copy()).acknowledgements == ["a": 1, "b": 0])
    let name = try #require(files.list("store")?.first { $0.hasSuffix(".segment") })
    let segment = try Segment(
      file: files.open("store/" + name, .read), name: name, symbols: SymbolTable())
    #expect(segment.settings.map(\.sequence).sorted() == [6, 7])
  }

  @Test func `A batch is empty until it changes something`() {
    var deletion = Batch()
    #expect(deletion.isEmpty)
    deletion.delete(Identifier(high: 1, low: 1))
    #expect(!deletion.isEmpty)
    var sample = Batch()
    sample.add(
      subject: 1, type: 1, id: Identifier(high: 1, low: 1), start: 0, end: 0, value: 0)
    #expect(!sample.isEmpty)
    #expect(sample.sampleCount == 1)
  }

  @Test func `Concurrent writers each commit their batch as a whole`() async throws {
    let database = try Database.inMemory { $0.sealRowCount = 500 }
    try await withThrowingTaskGroup(of: ClosedRange<UInt64>?.self) { group in
      for saver in 0..<8 {
        group.addTask {
          var last: ClosedRange<UInt64>?
          for round in 0..<50 {
            var batch = Batch()
            let key = database.key("type \(saver % 3)")
            for _ in 0..<7 {
              batch.add(
                subject: key.subject, type: key.type, id: Identifier(UUID()),
                start: Double(round), end: Double(round), value: Double(saver))
            }
            last = try database.commit(batch).sequences
            #expect(last?.count == 7)
          }
          return last
        }
      }
      try await group.waitForAll()
    }
    #expect(database.end == 8 * 50 * 7)
    #expect(try database.snapshot().changes(after: .beginning).changes.count == 2800)
  }

  @Test func `Of two concurrent writers of one identifier, one is refused`() async throws {
    let database = try Database.inMemory()
    for _ in 0..<50 {
      let id = Identifier(UUID())
      let successes = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask { (try? database.save(id: id)) != nil }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(successes == 1)
    }
    #expect(try database.values().count == 50)
  }

  @Test func `Concurrent writers of one sync identifier leave one sample, of the newest version`()
    async throws
  {
    let database = try Database.inMemory()
    for round in 0..<50 {
      await withTaskGroup(of: Void.self) { group in
        for version in 1...4 {
          group.addTask {
            var extras = Extras()
            extras.syncIdentifier = Array("meal \(round)".utf8)
            extras.syncVersion = Int64(version)
            do {
              try database.save(
                "meal", start: Double(round), value: Double(version), extras: extras)
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(try database.values("meal") == [Double](repeating: 4, count: 50))
  }

  @Test func `More distinct extras than two bytes can number survive the log`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    let key = database.key("heartRate")
    var batch = Batch()
    for index in 0..<70_000 {
      var extras = Extras()
      extras.payloadKind = 1
      extras.payload = withUnsafeBytes(of: UInt32(index)) { Array($0) }
      let number = batch.intern(extras: extras.encoded)
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(UUID()), start: Double(index),
        end: Double(index), value: Double(index), extras: number)
    }
    try database.commit(batch)
    let reopened = try Database.inMemory(files.copy())
    let rows = try reopened.snapshot().select([reopened.key("heartRate")])
    #expect(rows.count == 70_000)
    #expect(
      rows.allSatisfy { row in
        let payload = Extras(row.block.extras(at: row.row))?.payload
        return payload == withUnsafeBytes(of: UInt32(row.value)) { Array($0) }
      })
  }

  @Test func `A read-only database refuses to write`() throws {
    let fileSystem = MemoryFileSystem()
    let writer = try Database.inMemory(fileSystem)
    try writer.save()
    let reader = try Database.inMemory(fileSystem, mode: .readOnly)
    #expect(try reader.values() == [60])
    #expect(throws: StoreError.readOnly) { try reader.save() }
  }

  @Test func `A second writer is told the holder of the store`() throws {
    let fileSystem = MemoryFileSystem()
    let first = try Database.inMemory(fileSystem)
    #expect(throws: StoreError.locked(path: "store", holder: "this process")) {
      try Database.inMemory(fileSystem)
    }
    try first.close()
    #expect(throws: Never.self) { try Database.inMemory(fileSystem) }
  }

  @Test func `A closed database refuses to write`() throws {
    let database = try Database.inMemory()
    try database.close()
    #expect(throws: StoreError.closed) { try database.save() }
  }
}
