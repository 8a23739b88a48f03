import FoundationEssentials
import SampleLog
import Testing

/// Recovery of a directory.
@Suite final class RecoveryTests {
  private var fileSystem = MemoryFileSystem()

  /// A store with three commits of one sample each, in the state that a killed process leaves.
  private func dead() throws -> (log: String, frames: [Int]) {
    let database = try Database.inMemory(fileSystem)
    var ends: [Int] = []
    for value in 1...3 {
      try database.save(value: Double(value))
      ends.append(try logEnd())
    }
    fileSystem = fileSystem.copy()
    return ("store/" + (try #require(logName())), ends)
  }

  private func logName() -> String? { fileSystem.list("store")?.first { $0.hasSuffix(".log") } }

  /// The offset after the last frame, found by walking the frames' lengths.
  private func logEnd() throws -> Int {
    let file = try fileSystem.open("store/" + (try #require(logName())), .read)
    let bytes = try #require(try file.bytes(file.size(), at: 0))
    var end = LogHeader.size
    while end + 8 < bytes.count, bytes[end] != 0 {
      let length = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: end + 4, as: UInt32.self)
      }
      end += (FrameHeader.size + Int(length) + 7) & ~7
    }
    return end
  }

  private func change(_ path: String, at offset: Int, to bytes: [UInt8]) throws {
    let file = try fileSystem.open(path, .update)
    try bytes.withUnsafeBytes { try file.write($0, at: offset) }
  }

  @Test func `Every acknowledged commit survives the death of the process`() throws {
    _ = try dead()
    #expect(try Database.inMemory(fileSystem).values() == [1, 2, 3])
  }

  @Test func `A torn last frame is truncated and its sequence number reused`() throws {
    let (log, frames) = try dead()
    try fileSystem.open(log, .update).truncate(to: frames[2] - 8)
    let database = try Database.inMemory(fileSystem)
    #expect(try database.values() == [1, 2])
    try database.save(value: 9)
    #expect(database.end == 3)
    #expect(try database.values() == [1, 2, 9])
  }

  @Test func `Garbage after the last frame is truncated`() throws {
    let (log, frames) = try dead()
    try change(log, at: frames[2], to: [UInt8](repeating: 0xA5, count: 300))
    #expect(try Database.inMemory(fileSystem).values() == [1, 2, 3])
  }

  @Test func `Damage before a valid frame is reported with its offset and not truncated`() throws {
    let (log, frames) = try dead()
    try change(log, at: frames[0] + 70, to: [0xFF, 0xFF, 0xFF])
    let error = #expect(throws: StoreError.self) { try Database.inMemory(fileSystem) }
    guard case .damaged(let file, let offset, _) = error else {
      Issue.record("not reported as damage: \(String(describing: error))")
      return
    }
    #expect(file == logName())
    #expect(offset == frames[0])
    fileSystem = fileSystem.copy()
    let database = try Database.inMemory(fileSystem) { $0.toleratesDamage = true }
    #expect(try database.values() == [1, 3])
    #expect(database.damages.count == 1)
    try database.save(value: 4)
    #expect(database.end == 4)
  }

  @Test func `Verification reports the damage for which opening fails`() throws {
    let (log, frames) = try dead()
    try change(log, at: frames[0] + 70, to: [0xFF])
    let verification = try Verification(path: "store", fileSystem: fileSystem)
    #expect(verification.damages.map(\.offset) == [frames[0]])
  }

  @Test func `A directory without a store cannot be read`() {
    #expect(throws: StoreError.notAStore(path: "store")) {
      try Database.inMemory(fileSystem, mode: .readOnly)
    }
  }

  @Test func `A sealed store whose log reappears answers the same`() throws {
    let database = try Database.inMemory(fileSystem)
    try database.save(value: 1)
    let name = try #require(logName())
    let old = try fileSystem.open("store/" + name, .read)
    let bytes = try #require(try old.bytes(old.size(), at: 0))
    try database.save(value: 2)
    try database.seal()
    fileSystem = fileSystem.copy()
    let again = try fileSystem.open("store/" + name, .create)
    try bytes.withUnsafeBytes { try again.write($0, at: 0) }
    #expect(try Database.inMemory(fileSystem).values() == [1, 2])
    #expect(fileSystem.list("store")?.contains(name) == false)
  }

  @Test func `Compacted segments take precedence over the segments they replace`() throws {
    let database = try Database.inMemory(fileSystem)
    var kept: [(String, [UInt8])] = []
    for value in 1...3 {
      try database.save(value: Double(value))
      try database.seal()
    }
    for name in fileSystem.list("store") ?? [] where name.hasSuffix(".segment") {
      let file = try fileSystem.open("store/" + name, .read)
      kept.append((name, try #require(try file.bytes(file.size(), at: 0))))
    }
    #expect(kept.count == 3)
    #expect(try database.compact().segmentsAfter == 1)
    fileSystem = fileSystem.copy()
    for (name, bytes) in kept {
      let file = try fileSystem.open("store/" + name, .create)
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
    let reopened = try Database.inMemory(fileSystem)
    #expect(try reopened.values() == [1, 2, 3])
    #expect(fileSystem.list("store")?.filter { $0.hasSuffix(".segment") }.count == 1)
  }

  @Test func `A missing segment is reported, not skipped`() throws {
    let database = try Database.inMemory(fileSystem)
    try database.save(value: 1)
    try database.seal()
    try database.save(value: 2)
    try database.seal()
    try database.close()
    let first = try #require(fileSystem.list("store")?.filter { $0.hasSuffix(".segment") }.min())
    try fileSystem.remove("store/" + first)
    #expect(throws: StoreError.self) { try Database.inMemory(fileSystem) }
  }
}

extension RecoveryTests {
  @Test func `A reader changes no file, however many logs it finds`() throws {
    let disk = FaultyFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    try database.save(value: 1)
    // A failed sync makes the next commit begin another log; the first waits to be sealed.
    disk.faults = .sync
    #expect(throws: StoreError.self) { try database.save(value: 2) }
    disk.faults = []
    try database.save(value: 3)
    let files = disk.memory.copy()
    let names = files.list("store")?.sorted()
    #expect(names?.filter { $0.hasSuffix(".log") }.count == 2)
    let reader = try Database(
      path: "store", mode: .readOnly, options: Database.Options(), fileSystem: files)
    #expect(try reader.values() == [1, 3])
    try reader.close()
    reader.waitForBackgroundWork()
    #expect(files.list("store")?.sorted() == names)
  }

  @Test(arguments: [
    "0000000000000000-0000000000000001-0000.segment",
    "0000000000000001-ffffffffffffffff-0000.segment", "0000000000000000.log",
    "ffffffffffffffff.log",
  ])
  func `A file with an impossible name is not taken for one of the store's`(name: String) throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    try database.save(value: 1)
    try database.close()
    _ = try files.open("store/" + name, .create)
    #expect(try Database.inMemory(files).values() == [1])
  }
}
