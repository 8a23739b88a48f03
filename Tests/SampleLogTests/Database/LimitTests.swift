import Foundation
import SampleLog
import Testing

/// Values at a limit and just above it; Docs/limits.md lists the limits.
@Suite struct LimitTests {
  private func refused(_ limit: StoreLimit, _ actual: Int, allowed: Int? = nil) -> StoreError {
    .limitExceeded(limit, actual: actual, allowed: allowed ?? limit.maximum)
  }

  @Test func `The limits equal those in Docs/limits.md`() {
    let limits: [StoreLimit: Int] = [
      .extrasBytes: 16_777_216, .nameBytes: 65_535, .syncIdentifierBytes: 65_535,
      .subscriptionBytes: 1024, .settingKeyBytes: 132_094, .batchRecords: 4_194_304,
      .batchBytes: 1_073_741_824, .subjectSamples: .max, .subjectBytes: .max,
    ]
    for limit in StoreLimit.allCases { #expect(limit.maximum == limits[limit]) }
    #expect(StoreLimit.sequence == 4_611_686_018_427_387_903)
  }

  @Test func `A log is sealed before it has more rows than a segment may have, for any options`() {
    var options = Database.Options()
    #expect(options.logRowCount == options.sealRowCount)
    options.sealRowCount = .max
    // The largest commit and its replacements are added to this.
    #expect(options.logRowCount == 8_388_608)
    #expect(options.logRowCount + 2 * StoreLimit.batchRecords.maximum < Segment.maximumRows)
  }

  private func text(_ count: Int) -> String { String(repeating: "n", count: count) }

  @Test func `Names up to their limit are stored and longer ones are refused`() throws {
    let maximum = StoreLimit.nameBytes.maximum
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    try database.save(text(maximum), unit: text(maximum), source: text(maximum))
    try database.save("t", subject: text(maximum))
    for name in [text(maximum + 1)] {
      let error = refused(.nameBytes, maximum + 1)
      #expect(throws: error) { try database.save(name) }
      #expect(throws: error) { try database.save(subject: name) }
      #expect(throws: error) { try database.save(unit: name) }
      #expect(throws: error) { try database.save(source: name) }
    }
    #expect(database.end == 2)
    try database.seal()
    try database.close()
    let again = try Database.inMemory(files)
    #expect(try again.values(text(maximum)).count == 1)
  }

  @Test func `Extras up to their limit are stored and larger ones are refused`() throws {
    let maximum = StoreLimit.extrasBytes.maximum
    let database = try Database.inMemory()
    var extras = Extras()
    extras.metadata = [UInt8](repeating: 7, count: maximum)
    let overhead = extras.encoded.count - maximum
    extras.metadata.removeLast(overhead)
    let id = try database.save(extras: extras)
    extras.metadata.append(7)
    #expect(throws: refused(.extrasBytes, maximum + 1)) { try database.save(extras: extras) }
    try database.seal()
    let row = try #require(try database.snapshot().row(id))
    #expect(row.block.metadata(at: row.row).count == maximum - overhead)
  }

  @Test func `Sync identifiers up to their limit replace and longer ones are refused`() throws {
    let maximum = StoreLimit.syncIdentifierBytes.maximum
    let database = try Database.inMemory()
    var extras = Extras()
    extras.syncIdentifier = [UInt8](repeating: 65, count: maximum)
    for version: Int64 in 1...2 {
      extras.syncVersion = version
      try database.save(value: Double(version), extras: extras)
    }
    #expect(try database.values() == [2])
    extras.syncIdentifier.append(65)
    #expect(throws: refused(.syncIdentifierBytes, maximum + 1)) {
      try database.save(extras: extras)
    }
  }

  @Test func `Names of subscriptions have a limit`() throws {
    let database = try Database.inMemory()
    let prefix = "subscription/".utf8.count
    let longest = text(StoreLimit.subscriptionBytes.maximum - prefix)
    try database.acknowledge(longest, through: 0)
    #expect(database.acknowledgements == [longest: 0])
    #expect(throws: refused(.subscriptionBytes, StoreLimit.subscriptionBytes.maximum + 1)) {
      try database.acknowledge(longest + "n", through: 0)
    }
  }

  @Test func `Keys of settings have a limit that admits a subject and a type`() throws {
    let database = try Database.inMemory()
    let longest = Array(text(StoreLimit.settingKeyBytes.maximum).utf8)
    try database.set([(longest, [1])])
    #expect(try database.setting(longest) == [1])
    #expect(throws: refused(.settingKeyBytes, StoreLimit.settingKeyBytes.maximum + 1)) {
      try database.set([(longest + [65], [1])])
    }
  }

  private func batch(_ count: Int, _ database: Database) -> Batch {
    var batch = Batch()
    let key = database.key("heartRate")
    for row in 0..<count {
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(UUID()), start: Double(row),
        end: Double(row), value: 1)
    }
    return batch
  }

  @Test func `A batch with more records than the limit is refused`() throws {
    #expect(Database.Options().batchRecordLimit == StoreLimit.batchRecords.maximum)
    let database = try Database.inMemory { $0.batchRecordLimit = 100 }
    try database.commit(batch(100, database))
    #expect(throws: refused(.batchRecords, 101, allowed: 100)) {
      try database.commit(batch(101, database))
    }
    var mixed = batch(100, database)
    mixed.delete(Identifier(high: 0, low: 0))
    #expect(throws: refused(.batchRecords, 101, allowed: 100)) { try database.commit(mixed) }
    #expect(database.end == 100)
  }

  @Test func `A batch with more bytes than the limit is refused`() throws {
    #expect(Database.Options().batchByteLimit == StoreLimit.batchBytes.maximum)
    #expect(StoreLimit.batchBytes.maximum == FrameHeader.maximumPayload)
    let other = try Database.inMemory()
    var payload = CommitPayload()
    payload.rows = batch(50, other).rows
    let size = try payload.encoded(symbols: other.symbols).count
    let roomy = try Database.inMemory { $0.batchByteLimit = size }
    try roomy.commit(batch(50, roomy))
    let tight = try Database.inMemory { $0.batchByteLimit = size - 1 }
    #expect(throws: refused(.batchBytes, size, allowed: size - 1)) {
      try tight.commit(batch(50, tight))
    }
    #expect(tight.end == 0)
  }

  @Test func `Ten thousand subjects get their series and find them again`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    for round in 0..<2 {
      var batch = Batch()
      for subject in 0..<10_000 {
        for type in ["heartRate", "stepCount"] {
          let key = database.key(type, subject: "subject \(subject)")
          batch.add(
            subject: key.subject, type: key.type, id: Identifier(UUID()), start: Double(round),
            end: Double(round), value: Double(subject))
        }
      }
      try database.commit(batch)
      try database.seal()
    }
    try database.compact()
    try database.close()
    let again = try Database.inMemory(files)
    #expect(again.snapshot().series.count == 20_000)
    for subject in stride(from: 0, to: 10_000, by: 997) {
      let rows = try again.snapshot().select([again.key("stepCount", subject: "subject \(subject)")]
      )
      #expect(rows.map(\.value) == [Double(subject), Double(subject)])
    }
  }

  @Test func `Large metadata is divided into readable blocks`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    var extras = Extras()
    for row in 0..<40 {
      extras.metadata = [UInt8](repeating: UInt8(row), count: 1 << 20)
      try database.save(start: Double(row), extras: extras)
    }
    try database.seal()
    let name = try #require(files.list("store")?.first { $0.hasSuffix(".segment") })
    let segment = try Segment(
      file: files.open("store/" + name, .read), name: name, symbols: SymbolTable())
    // A block ends at eight megabytes, so it has at most eight of these.
    #expect(segment.blockCount == 5)
    try database.compact()
    #expect(try database.values().count == 40)
  }

  @Test func `The memory of a log is bounded for any compression ratio`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files) { $0.sealByteCount = 1 << 20 }
    var extras = Extras()
    for row in 0..<5 {
      extras.metadata = [UInt8](repeating: UInt8(row), count: 400 << 10)
      try database.save(start: Double(row), extras: extras)
    }
    #expect(files.list("store")?.filter { $0.hasSuffix(".log") }.count == 2, "of three and two")
    try database.close()
  }

  @Test func `The last sequence number is assigned and none after it`() throws {
    let files = MemoryFileSystem()
    files.createDirectory("store")
    let last = StoreLimit.sequence
    let header = SegmentHeader(
      storeID: Identifier(high: 1, low: 2), epoch: 1, first: 1, last: last - 2, generation: 0,
      floor: 0, deletedThrough: 0)
    let name = "store/" + FileNames.segment(first: 1, last: last - 2, generation: 0)
    let writer = try SegmentWriter(
      file: files.open(name, .create), header: header, symbols: SymbolTable())
    _ = try writer.finish(settings: [])
    let database = try Database.inMemory(files)
    #expect(throws: StoreError.exhausted) { try database.commit(batch(3, database)) }
    try database.commit(batch(2, database))
    #expect(database.end == last)
    #expect(throws: StoreError.exhausted) { try database.save() }
    try database.seal()
    try database.close()
    let again = try Database.inMemory(files)
    #expect(again.end == last)
    #expect(try again.values().count == 2)
    #expect(throws: StoreError.exhausted) { try again.save() }
  }
}

/// Statistics that maintenance reports.
@Suite struct MaintenanceFigureTests {
  @Test func `Snapshots retain replaced files and then release their space`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/snapshots-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let database = try Database(path: path, options: testOptions())
    var ids: [Identifier] = []
    for value in 1...3 {
      ids.append(try database.save(value: Double(value)))
      try database.seal()
    }
    var held = (0..<1000).map { _ in database.snapshot() }
    try database.compact()
    #if os(Linux)
      func deletedFiles() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.filter { name in
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/" + name)
          return target.map { $0.hasPrefix(path) && $0.hasSuffix(" (deleted)") } ?? false
        }.count
      }
      #expect(deletedFiles() == 3)
    #endif
    for id in ids { #expect(try held[999].row(id) != nil) }
    #expect(try held[999].changes(after: .beginning, limit: 10).changes.count == 3)
    #expect(try held[999].select(held[999].series, limit: 2).count == 2)
    held = []
    #if os(Linux)
      #expect(deletedFiles() == 0)
    #endif
    try database.close()
  }

  @Test func `Samples that sealing omits count as dropped`() throws {
    let database = try Database.inMemory()
    let ids = try (1...5).map { try database.save(value: Double($0)) }
    for id in ids.prefix(3) { try database.delete(id) }
    let result = try database.compact()
    #expect(result.samplesDropped == 3)
    #expect(try database.compact().samplesDropped == 0)
  }

  @Test func `A background failure is in the statistics until the operation succeeds`() throws {
    let disk = HookedFileSystem()
    let isBroken = Locked(false)
    disk.before = { operation, path in
      if isBroken.withLock({ $0 }), operation == "create", path.contains(".segment") {
        throw FaultyFileSystem.error
      }
    }
    let database = try Database(
      path: "store",
      options: testOptions {
        $0.sealsInBackground = true; $0.sealRowCount = 1
      },
      fileSystem: disk)
    #expect(try database.statistics().backgroundFailure == nil)
    isBroken.withLock { $0 = true }
    for value in 1...2 { try database.save(value: Double(value)) }
    database.waitForBackgroundWork()
    let failure = try database.statistics().backgroundFailure
    #expect(failure?.contains("Input/output error") == true)
    isBroken.withLock { $0 = false }
    try database.save(value: 3)
    database.waitForBackgroundWork()
    #expect(try database.statistics().backgroundFailure == nil)
    #expect(try database.values().sorted() == [1, 2, 3])
    try database.close()
  }
}
