import FoundationEssentials
import SampleLog
import Testing

/// Inconsistent directories, and disk errors at critical moments.
@Suite final class RefusalTests {
  private let files = MemoryFileSystem()

  private func names(_ suffix: String, in path: String = "store") -> [String] {
    (files.list(path) ?? []).filter { $0.hasSuffix(suffix) }.sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try files.open(path, .read)
    return try file.bytes(file.size(), at: 0) ?? []
  }

  private func replace(_ path: String, with bytes: [UInt8]) throws {
    try files.remove(path)
    let file = try files.open(path, .create)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
  }

  /// Creates a store with one sealed sample and one in its log, closed.
  private func makeStore(_ path: String = "store") throws {
    let database = try Database(path: path, options: testOptions(), fileSystem: files)
    try database.save(value: 1)
    try database.seal()
    try database.save(value: 2)
    try database.close()
  }

  /// Returns the reason for which opening fails, or nil if it succeeds.
  private func complaint(_ path: String = "store", tolerant: Bool = false) -> String? {
    do {
      let options = testOptions { $0.toleratesDamage = tolerant }
      let database = try Database(
        path: path, mode: .readOnly, options: options, fileSystem: files)
      return database.damages.first?.reason
    } catch StoreError.damaged(_, _, let reason) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  @Test func `A log that is shorter than its header is damage`() throws {
    try makeStore()
    let log = "store/" + (try #require(names(".log").first))
    try files.open(log, .update).truncate(to: 20)
    #expect(complaint() == "the file is shorter than its header")
  }

  @Test func `A missing log between two others is reported by its successor`() throws {
    let disk = FaultyFileSystem(files)
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    for value in 1...3 {
      try database.save(value: Double(value))
      // A failed sync makes the next commit begin another log.
      disk.faults = .sync
      #expect(throws: StoreError.self) { try database.save(value: 0) }
      disk.faults = []
    }
    try database.save(value: 4)
    let copy = files.copy()
    let logs = names(".log")
    #expect(logs.count == 4)
    try copy.remove("store/" + logs[1])
    let error = #expect(throws: StoreError.self) { try Database.inMemory(copy, mode: .readOnly) }
    #expect("\(String(describing: error))".contains("is not the one it names"))
  }

  @Test func `Files with swapped names are refused`() throws {
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    for value in 1...3 {
      try database.save(value: Double(value))
      if value < 3 { try database.seal() }
    }
    try database.close()
    #expect(complaint() == nil)
    let segments = names(".segment").map { "store/" + $0 }
    let contents = try segments.map(bytes)
    for (path, content) in zip(segments, contents.reversed()) { try replace(path, with: content) }
    #expect(complaint(tolerant: true) == "the header does not agree with the file's name")
    for (path, content) in zip(segments, contents) { try replace(path, with: content) }
    #expect(complaint() == nil)
    let log = "store/" + (try #require(names(".log").first))
    try files.rename(log, to: "store/" + FileNames.log(first: 4))
    #expect(complaint(tolerant: true) == "the header does not agree with the file's name")
  }

  @Test func `Files of two stores in one directory are refused`() throws {
    try makeStore()
    try makeStore("other")
    let log = try #require(names(".log").first)
    try replace("store/" + log, with: bytes("other/" + log))
    #expect(complaint() == "the file is of another store")
  }

  @Test func `A backup's record of another store is damage`() throws {
    for path in ["store", "other"] {
      try makeStore(path)
      let database = try Database(path: path, options: testOptions(), fileSystem: files)
      try database.backup(to: path + "-backup")
      try database.close()
    }
    #expect(complaint("store-backup") == nil)
    let record = "store-backup/" + FileNames.backup
    try replace(record, with: bytes("other-backup/" + FileNames.backup))
    #expect(complaint("store-backup") == "the files are of another store")
  }

  @Test func `Repair reports the losses of a backup without its newest file`() throws {
    try makeStore()
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    let end = database.end
    try database.backup(to: "backup")
    for log in names(".log", in: "backup") { try files.remove("backup/" + log) }
    let report = try Database.repair(
      from: "backup", to: "repaired", options: testOptions(), fileSystem: files)
    #expect(report.losses.map(\.sequences) == [2...end])
    #expect(report.losses.map(\.reason) == ["the backup was made with files that are missing"])
    let repaired = try Database(path: "repaired", options: testOptions(), fileSystem: files)
    #expect(try repaired.values() == [1])
  }

  @Test
  func `Repair reports an empty newest log as lost and accepts a renamed one`()
    throws
  {
    try makeStore()
    let log = "store/" + (try #require(names(".log").first))
    let good = try bytes(log)
    try replace(log, with: [UInt8](repeating: 7, count: 4096))
    var report = try Database.repair(
      from: "store", to: "one", options: testOptions(), fileSystem: files)
    #expect(report.losses.count == 1)
    #expect(report.losses.first?.reason.hasSuffix("and there is no frame") == true)
    #expect(report.sampleRows == 1)
    try files.remove(log)
    let renamed = "store/" + FileNames.log(first: 1 << 20)
    let file = try files.open(renamed, .create)
    try good.withUnsafeBytes { try file.write($0, at: 0) }
    report = try Database.repair(
      from: "store", to: "two", options: testOptions(), fileSystem: files)
    #expect(!report.isWhole)
    #expect(
      try Database(path: "two", options: testOptions(), fileSystem: files).values().first == 1)
  }

  @Test func `A failed restore leaves no files behind`() throws {
    try makeStore()
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    try database.backup(to: "backup")
    try database.close()
    let disk = FaultyFileSystem(files)
    disk.faults = .write
    #expect(throws: FaultyFileSystem.error) {
      try Database.restore(
        from: "backup", to: "restored", options: testOptions(), fileSystem: disk)
    }
    #expect(files.list("restored") ?? [] == [])
  }

  @Test func `A backup copies files on a file system without links`() throws {
    try makeStore()
    let disk = FaultyFileSystem(files)
    #expect(throws: StoreError.self) { try disk.link("store/a", to: "store/b") }
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    try database.backup(to: "backup", linksFiles: true)
    let segment = try #require(names(".segment", in: "backup").first)
    // With a hard link, both names would show the damage.
    try files.open("store/" + segment, .update).truncate(to: 9)
    #expect(complaint("backup") == nil)
    #expect(complaint() != nil)
  }
}

extension RefusalTests {
  /// A disk on which syncing fails with a code from a given call on.
  private func disk(refusingSyncWith code: Int32) -> HookedFileSystem {
    let disk = HookedFileSystem(files)
    disk.before = { operation, path in
      guard operation == "sync" else { return }
      throw StoreError.inputOutput(operation: "sync", path: path, code: code, message: "no")
    }
    return disk
  }

  @Test func `A reader that cannot sync the log shows only durable commits`() throws {
    let database = try Database.inMemory(files)
    try database.save(value: 1)
    let first = try Database(
      path: "store", mode: .readOnly, options: testOptions(),
      fileSystem: disk(refusingSyncWith: 5))
    #expect(try first.values() == [])
    try database.save(value: 2)
    #expect(try first.refresh())
    #expect(try first.values() == [1])
    // The second frame proves that the first is durable; nothing proves it of the second.
    let failing = try Database(
      path: "store", mode: .readOnly, options: testOptions(),
      fileSystem: disk(refusingSyncWith: 5))
    #expect(try failing.values() == [1])
    try database.save(value: 3)
    #expect(try failing.refresh())
    #expect(try failing.values() == [1, 2])
    // A read-only disk has no unsynced changes to lose.
    let readOnlyDisk = try Database(
      path: "store", mode: .readOnly, options: testOptions(),
      fileSystem: disk(refusingSyncWith: 30))
    #expect(try readOnlyDisk.values() == [1, 2, 3])
  }

  @Test func `A failed flush is an error, and saving continues in another log`() throws {
    let disk = FaultyFileSystem(files)
    let database = try Database(
      path: "store", options: testOptions { $0.durability = .buffered }, fileSystem: disk)
    try database.save(value: 1)
    try database.flush()
    try database.save(value: 2)
    disk.faults = .sync
    #expect(throws: FaultyFileSystem.error) { try database.flush() }
    disk.faults = []
    try database.save(value: 3)
    try database.flush()
    #expect(names(".log").count == 2)
    #expect(try Database.inMemory(files.copy()).values() == [1, 2, 3])
  }

  @Test func `A refreshed reader has each old and new segment once`() throws {
    let database = try Database.inMemory(files)
    try database.save(value: 1)
    try database.seal()
    let reader = try Database.inMemory(files, mode: .readOnly)
    for value in 2...4 {
      try database.save(value: Double(value))
      try database.seal()
      #expect(try reader.refresh())
      #expect(try !reader.refresh())
      #expect(try reader.values() == (1...value).map(Double.init))
      #expect(try reader.snapshot().changes(after: .beginning).changes.count == value)
    }
  }

  @Test func `A reader in memory waits until a commit arrives, or times out`() throws {
    let database = try Database.inMemory(files)
    let reader = try Database.inMemory(files, mode: .readOnly)
    #expect(try !reader.waitForChange(atMost: .seconds(0.001)))
    try database.save(value: 1)
    #expect(try reader.waitForChange(atMost: .seconds(60)))
    #expect(try reader.values() == [1])
    #expect(try !database.waitForChange(atMost: .seconds(60)))
    try reader.close()
    #expect(throws: StoreError.closed) { try reader.waitForChange(atMost: .seconds(60)) }
  }

  @Test func `A segment that is truncated while it is open is damage, not fewer rows`() throws {
    var maker = SegmentMaker(seed: 30)
    // Enough rows for some sync identifiers, and thus an index of them.
    let file = try maker.make([("odd", .sample, [200], true)])
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    try file.truncate(to: 100)
    for read in [
      { _ = try segment.block(0, .all) },
      { _ = try segment.row(0, ofBlock: 0, .all) },
      { _ = try segment.find(Identifier(high: 1, low: 1)) },
      { _ = try segment.find(syncKey: 1) },
    ] {
      let error = #expect(throws: StoreError.self) { try read() }
      #expect("\(String(describing: error))".contains("cut"))
    }
    var reasons: [String] = []
    segment.verify { reasons.append($1) }
    #expect(reasons.contains("the length of the file has changed"))
  }

  @Test func `The segment writer refuses input that readers could not trust`() throws {
    var maker = SegmentMaker(seed: 31)
    func writer() throws -> SegmentWriter {
      try SegmentWriter(file: SegmentTestFile(), header: maker.header, symbols: maker.symbols)
    }
    var rows = maker.rows(10, kind: .sample, from: 700_000_000, wild: false)
    let later = maker.rows(10, kind: .sample, from: 800_000_000, wild: false)
    let apart = try writer()
    try apart.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), rows)
    try apart.add(BlockKey(SeriesKey(subject: 1, type: 2), .sample), rows)
    #expect(throws: StoreError.invalid("The series of one type come one after another.")) {
      try apart.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), later)
    }
    let disordered = try writer()
    try disordered.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), later)
    #expect(throws: StoreError.invalid("The blocks of a series are in start order.")) {
      try disordered.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), rows)
    }
    rows.extras[3] = UInt32(rows.blobs.count) + 1
    #expect(throws: StoreError.invalid("A row's extras are among the blobs of its block.")) {
      try writer().add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), rows)
    }
  }
}
