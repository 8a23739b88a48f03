import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// Stores on file systems without free space.
@Suite struct FullDiskTests {
  /// A store and the commits that it acknowledged.
  private struct Store {
    let database: Database
    var alive: [UInt64: Int] = [:]
    var next: UInt64 = 1

    init(_ path: String, sealing rows: Int) throws {
      var options = Database.Options()
      options.sealRowCount = rows
      database = try Database(path: path, options: options)
    }

    mutating func save(_ size: Int) throws {
      let operation = next
      next += 1
      var batch = Batch()
      for index in 0..<size {
        TortureRow(operation: operation, index: index, size: size).add(
          to: &batch, database.symbols)
      }
      try database.commit(batch)
      alive[operation] = size
    }

    mutating func delete(_ operation: UInt64) throws {
      var batch = Batch()
      for index in 0..<(alive[operation] ?? 0) {
        batch.delete(TortureRow(operation: operation, index: index, size: 0).id)
      }
      try database.commit(batch)
      alive[operation] = nil
    }

    /// Saves until the disk is full, and returns the error.
    mutating func fill(_ random: inout Seeded) -> (any Error)? {
      for _ in 0..<100_000 {
        do { try save(Int.random(in: 1...200, using: &random)) } catch { return error }
      }
      return nil
    }
  }

  private static func isFull(_ error: (any Error)?) -> Bool {
    if case StoreError.inputOutput(_, _, let code, _)? = error { code == ENOSPC } else { false }
  }

  @Test(arguments: 0..<Trials.count(20, quick: 4))
  func `A full disk is reported, loses nothing, accepts deletions and recovers when space is freed`(
    round: Int
  ) throws {
    guard let disk = try SmallDisk(kilobytes: 1024 + 64 * round) else { return }
    var random = Seeded(mixing: UInt64(round))
    let path = disk.path + "/store"
    var store = try Store(path, sealing: round % 2 == 0 ? 100_000 : 2000)
    // Another file on the disk, which the test removes later.
    let ballast = disk.path + "/ballast"
    try Data(count: 400 << 10).write(to: URL(fileURLWithPath: ballast))
    let error = store.fill(&random)
    #expect(Self.isFull(error), "\(String(describing: error))")
    #expect(store.alive.count > 50, "the disk filled up too early")
    for _ in 0..<5 {
      // Retries, as a program does that ignores the error.
      #expect(Self.isFull(store.fill(&random)))
    }
    #expect(try TortureWriter.operations(store.database.snapshot()) == store.alive)
    if round % 2 == 0 {
      for operation in store.alive.keys.sorted().prefix(5) { try store.delete(operation) }
    }
    #expect(try TortureWriter.operations(store.database.snapshot()) == store.alive)
    // The next process finds the same state.
    #expect(
      try TortureWriter.operations(Database(path: path, mode: .readOnly).snapshot())
        == store.alive)
    if round % 4 < 2 {
      try disk.resize(kilobytes: 8192)
    } else {
      try FileManager.default.removeItem(atPath: ballast)
    }
    for _ in 0..<20 { try store.save(20) }
    do {
      try store.database.compact()
    } catch {
      // Compaction needs space for its output; without it, compaction changes nothing.
      #expect(Self.isFull(error) && round % 4 >= 2, "\(error)")
    }
    #expect(try TortureWriter.operations(store.database.snapshot()) == store.alive)
    try store.database.close()
    let again = try Store(path, sealing: 2000)
    #expect(try TortureWriter.operations(again.database.snapshot()) == store.alive)
    try again.database.close()
    #expect(try Verification(path: path).isGood)
  }

  @Test func `A store that was closed on a full disk can be opened and read there`() throws {
    guard let disk = try SmallDisk(kilobytes: 1024) else { return }
    var random = Seeded(mixing: 1)
    let path = disk.path + "/store"
    var store = try Store(path, sealing: 100_000)
    #expect(Self.isFull(store.fill(&random)))
    // Takes the last free byte.
    let ballast = disk.path + "/ballast"
    try Data().write(to: URL(fileURLWithPath: ballast))
    let handle = try #require(FileHandle(forWritingAtPath: ballast))
    while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
    try handle.close()
    try store.database.close()
    let again = try Store(path, sealing: 100_000)
    #expect(try TortureWriter.operations(again.database.snapshot()) == store.alive)
    try again.database.close()
    #expect(try Verification(path: path).isGood)
  }

  @Test
  func `A store without a lock file opens on a full disk, and deletes once a little space is free`()
    throws
  {
    guard let disk = try SmallDisk(kilobytes: 1024) else { return }
    var random = Seeded(mixing: 2)
    let path = disk.path + "/store"
    var store = try Store(path, sealing: 100_000)
    #expect(Self.isFull(store.fill(&random)))
    try store.database.close()
    try FileManager.default.removeItem(atPath: path + "/LOCK")
    let ballast = disk.path + "/ballast"
    try Data().write(to: URL(fileURLWithPath: ballast))
    let handle = try #require(FileHandle(forWritingAtPath: ballast))
    while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
    let again = try Store(path, sealing: 100_000)
    #expect(try TortureWriter.operations(again.database.snapshot()) == store.alive)
    let all = [ExpiryRule(endingBefore: 1e15)]
    let error = #expect(throws: StoreError.self) { try again.database.expire(all) }
    #expect(Self.isFull(error), "\(String(describing: error))")
    try handle.truncate(atOffset: 0)
    try handle.close()
    // The reserve for deletions takes some of them, in commits that are small enough.
    let before = again.database.end
    #expect(throws: StoreError.self) { try again.database.expire(all) }
    #expect(again.database.end > before)
    try again.database.close()
    #expect(try Verification(path: path).isGood)
  }

  @Test(arguments: [8, 64, 512])
  func `A limit on file sizes is an error and does not end the process`(
    kilobytes: Int
  ) throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    guard let env = Programs.find("env") else { return }
    // The thread sanitizer maps a file at the start, which the limit would cut.
    guard !Programs.areThreadSanitized else {
      return print("limits on the size of files skipped: the thread sanitizer needs a large file")
    }
    let run = try WriterRun(
      store, seed: 3, operations: 300,
      // A parent process may have set the signal to be ignored.
      under: (
        env,
        [
          // The limit also applies to the coverage that a program writes at its end.
          "--default-signal=XFSZ", "LLVM_PROFILE_FILE=/dev/null", "bash", "-c",
          "ulimit -f \(kilobytes); exec \"$@\"", "bash",
        ]
      ))
    #expect(!run.wasKilled, "SIGXFSZ ended the process")
    #expect(run.status == 0)
    var model = TortureModel()
    for line in run.lines { model.note(line) }
    #expect(model.readCount == model.acknowledgedSamples)
    if kilobytes < 16 {
      #expect(model.failedCount > 0)
      #expect(run.failures.allSatisfy { $0.text.contains("errno \(EFBIG)") })
    }
    model.beginRun()
    let later = try WriterRun(store, seed: 4, operations: 3, first: model.next)
    for line in later.lines { model.note(line) }
    #expect(later.failures.isEmpty)
    var random = Seeded(mixing: 1)
    let database = try Database(path: store)
    #expect(try model.check(database, after: .process, &random) == [])
  }
}
