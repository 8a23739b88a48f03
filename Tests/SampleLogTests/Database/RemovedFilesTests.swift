import SampleLogSimulation
import Testing

@testable import SampleLog

/// Files that a compaction replaced: their space and the data of erased people are released with
/// the last snapshot that reads them, in this process and in others.
@Suite struct RemovedFilesTests {
  private let files = OpenFilesFileSystem()

  private func open(_ mode: OpenMode) throws -> Database {
    let options = testOptions { options in
      options.blockRowCount = 16
      options.deletionRetention = .seconds(0)
    }
    return try Database(path: "store", mode: mode, options: options, fileSystem: files)
  }

  /// Saves samples of several types in random order, some with sync identifiers.
  private func save(_ count: Int, to database: Database, _ random: inout Seeded) throws {
    var batch = Batch()
    for _ in 0..<count {
      var extras = Extras()
      if random.oneIn(4) {
        extras.syncIdentifier = [UInt8(random.below(200))]
        extras.syncVersion = Int64(random.below(1 << 30))
      }
      let key = database.key(
        ["heartRate", "stepCount"][random.below(2)], subject: ["ada", "bob"][random.below(2)])
      batch.add(
        to: key, id: Identifier(high: random.next(), low: random.next()),
        start: Double(random.below(100_000)), value: Double(random.below(100)),
        extras: batch.intern(extras: extras.encoded))
    }
    try database.commit(batch)
  }

  /// Performs every query whose results may be cached.
  private func ask(_ snapshot: Snapshot) throws {
    let keys = snapshot.series
    var after = Anchor.beginning
    var ids: [Identifier] = []
    while true {
      let page = try snapshot.changes(after: after, limit: 100)
      ids += page.changes.map(\.row.id)
      after = page.anchor
      if !page.hasMore { break }
    }
    for id in ids.prefix(20) { _ = try snapshot.row(id) }
    for key in keys {
      _ = try snapshot.changes(after: .beginning, in: [key], limit: 5)
      _ = try snapshot.select([key], order: .start(ascending: true))
      _ = try snapshot.select([key], order: .end(ascending: false), limit: 3)
      _ = try snapshot.newest(key)
      _ = try snapshot.row(key, syncIdentifier: [7])
      _ = try snapshot.sampleCount([key])
    }
    _ = try snapshot.subjects()
  }

  @Test func `A tailing reader releases removed files with its snapshot`() throws {
    let writer = try open(.readWrite)
    var random = Seeded(mixing: 7, 33)
    try save(600, to: writer, &random)
    let reader = try open(.readOnly)
    let feed = try ChangeFeed(reader, after: .beginning)
    for round in 0..<60 {
      while try feed.next(limit: 64) != nil {}
      if round % 4 == 0 { try ask(reader.snapshot()) }
      let old = reader.snapshot()
      try save(5, to: writer, &random)
      if round == 30 { try writer.erase(writer.symbols.intern("bob")) }
      try writer.seal()
      if round % 2 == 0 { _ = try writer.compact() }
      try reader.refresh()
      // An older snapshot still reads its files, and leaves none of their data in a cache.
      if round % 8 == 0 {
        try withExtendedLifetime(old) { try ask(old) }
        try ask(writer.snapshot())
      }
      withExtendedLifetime(old) {}
    }
    #expect(files.openRemovedFiles.isEmpty)
  }

  @Test
  func `A snapshot retains its files, and a closed reader retains none once it is released`() throws
  {
    let writer = try open(.readWrite)
    var random = Seeded(mixing: 8, 33)
    try save(200, to: writer, &random)
    try writer.seal()
    try save(10, to: writer, &random)
    try writer.seal()
    var reader: Database? = try open(.readOnly)
    var snapshot = reader?.snapshot()
    _ = try writer.compact()
    try reader?.refresh()
    let held = files.openRemovedFiles
    #expect(held.count == 2 && held.allSatisfy { $0.hasSuffix(".segment") })
    snapshot = nil
    #expect(files.openRemovedFiles.isEmpty)
    snapshot = reader?.snapshot()
    reader = nil
    #expect(snapshot != nil && files.openRemovedFiles.isEmpty)
  }

  @Test func `A reader opens a store whose writer seals each log before the reader opens it`()
    throws
  {
    let memory = MemoryFileSystem()
    let writer = try Database(path: "store", options: testOptions(), fileSystem: memory)
    try writer.save(start: 0, value: 0)
    let disk = HookedFileSystem(memory)
    var sealings = 0
    disk.beforeOpening = { path in
      guard path.hasSuffix(".log"), sealings < 60 else { return }
      sealings += 1
      try writer.save(start: Double(sealings), value: 1)
      try writer.seal()
    }
    let reader = try Database(
      path: "store", mode: .readOnly, options: testOptions(), fileSystem: disk)
    #expect(sealings == 60)
    #expect(reader.end == writer.end)
  }
}
