@testable import SampleLog
import Foundation
import Testing

/// Directories and lock files that are removed, renamed or replaced under an open handle.
@Suite final class ReplacedDirectoryTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
  private var path: String { folder + "/store" }
  private let manager = FileManager.default

  init() throws {
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func open(_ mode: OpenMode = .readWrite) throws -> Database {
    try Database(path: path, mode: mode, options: testOptions())
  }

  private func fill(_ database: Database, _ values: ClosedRange<Int>) throws {
    for value in values { try database.save(start: Double(value), value: Double(value)) }
  }

  /// Expects that every write reports the replaced directory and changes nothing there.
  private func expectReplaced(_ database: Database) throws {
    let names = try? manager.contentsOfDirectory(atPath: path).sorted()
    let works: [() throws -> Void] = [
      { try database.save(value: 0) }, { try database.seal() }, { try database.compact() },
      { try database.flush() }, { try database.backup(to: self.folder + "/backup") },
      { try database.acknowledge("reader", through: 1) }, { try database.close() },
    ]
    for work in works {
      #expect(throws: StoreError.replaced(path: path)) { try work() }
    }
    #expect((try? manager.contentsOfDirectory(atPath: path).sorted()) == names)
    #expect(!manager.fileExists(atPath: folder + "/backup"))
  }

  @Test
  func `A writer stops when another store replaces its directory, and leaves that store alone`()
    throws
  {
    let first = try open()
    try fill(first, 1...50)
    try first.seal()
    try fill(first, 51...60)
    try manager.removeItem(atPath: path)
    let second = try open()
    try fill(second, 101...120)
    try expectReplaced(first)
    #expect(first.snapshot().series.count == 1, "open files stay readable")
    try second.close()
    #expect(try open().values() == (101...120).map(Double.init))
  }

  @Test func `A writer stops when its directory is removed or renamed`() throws {
    let first = try open()
    try fill(first, 1...5)
    try manager.moveItem(atPath: path, toPath: folder + "/moved")
    try expectReplaced(first)
  }

  @Test func `A writer stops when its lock file is replaced, because another may hold the new one`()
    throws
  {
    let first = try open()
    try fill(first, 1...5)
    try manager.removeItem(atPath: path + "/LOCK")
    let second = try open()
    try expectReplaced(first)
    try fill(second, 6...6)
    #expect(try second.values() == [1, 2, 3, 4, 5, 6])
  }

  @Test func `A new segment is not moved into a replaced directory`() throws {
    let first = try open()
    try fill(first, 1...5)
    var isReplaced = false
    let header = SegmentHeader(
      storeID: first.storeID, epoch: 1, first: 1, last: 5, generation: 3, floor: 0,
      deletedThrough: 5)
    #expect(throws: StoreError.self) {
      _ = try first.writeSegment(header, expecting: 0) { _ in
        try self.manager.removeItem(atPath: self.path)
        try self.manager.createDirectory(
          atPath: self.path, withIntermediateDirectories: false)
        isReplaced = true
        return []
      }
    }
    #expect(isReplaced)
    #expect(try manager.contentsOfDirectory(atPath: path) == [])
  }

  @Test func `A reader detects that another store has replaced its directory`() throws {
    try open().close()
    let reader = try open(.readOnly)
    try manager.removeItem(atPath: path)
    let second = try open()
    #expect(throws: StoreError.anchorOfAnotherStore) { try reader.refresh() }
    try second.close()
  }

  @Test
  func `A store opened by a relative path keeps its directory if the working directory changes`()
    throws
  {
    let directory = manager.currentDirectoryPath
    let name =
      String(
        repeating: "../", count: directory.split(separator: "/").count) + path.dropFirst()
    let database = try Database(path: name, options: testOptions())
    #expect(database.path.hasPrefix("/"))
    try fill(database, 1...5)
    try database.close()
    #expect(try open().values() == [1, 2, 3, 4, 5])
  }

  @Test func `A path with a NUL is refused`() {
    #expect(throws: StoreError.invalid("A path has no NUL in it.")) {
      try Database(path: path + "\0x", options: testOptions())
    }
    #expect(!manager.fileExists(atPath: path))
  }

  @Test func `Errors name a file by its present name`() throws {
    let files = PosixFileSystem()
    let file = try files.open(folder + "/a.tmp", .create)
    try files.rename(folder + "/a.tmp", to: folder + "/a")
    file.wasRenamed(to: folder + "/a")
    let error = #expect(throws: StoreError.self) { try file.truncate(to: -1) }
    #expect("\(String(describing: error))".contains("/a:"))
  }

  @Test func `Holes of a log are not read`() throws {
    let database = try open()
    try fill(database, 1...5)
    try database.close()
    let name = try #require(
      try manager.contentsOfDirectory(atPath: path).first { $0.hasSuffix(".log") })
    let file = try PosixFileSystem().open(path + "/" + name, .update)
    try file.truncate(to: 1 << 40)
    // Reading a terabyte in chunks of four mebibytes takes a quarter of a million calls.
    let disk = CountingFileSystem()
    let again = try Database(path: path, options: testOptions(), fileSystem: disk)
    #expect(try again.values() == [1, 2, 3, 4, 5])
    try again.close()
    #expect(disk.operations.withLock { $0 } < 200)
    #expect(try file.size() < 1 << 20)
    // The same holds for a log whose header cannot be read.
    try file.truncate(to: 1 << 40)
    try [UInt8](repeating: 7, count: 16).withUnsafeBytes { try file.write($0, at: 0) }
    let report = try Database.repair(from: path, to: folder + "/repaired")
    #expect(report.isWhole)
  }
}

/// The operating system's file system, counting reads and writes.
private final class CountingFileSystem: FileSystem {
  let operations = Locked(0)
  private let base = PosixFileSystem()

  func createDirectory(_ path: String) throws { try base.createDirectory(path) }
  func list(_ path: String) throws -> [String]? { try base.list(path) }
  func rename(_ path: String, to newPath: String) throws { try base.rename(path, to: newPath) }
  func remove(_ path: String) throws { try base.remove(path) }
  func syncDirectory(_ path: String) throws { try base.syncDirectory(path) }
  func lock(_ path: String) throws -> any FileLock { try base.lock(path) }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    Counted(try base.open(path, access), self)
  }

  private final class Counted: File {
    private let file: any File
    private let owner: CountingFileSystem

    init(_ file: any File, _ owner: CountingFileSystem) {
      self.file = file
      self.owner = owner
    }

    func size() throws -> Int { try file.size() }
    func sync() throws { try file.sync() }
    func preallocate(_ length: Int) throws { try file.preallocate(length) }
    func truncate(to length: Int) throws { try file.truncate(to: length) }
    func nextData(from offset: Int) throws -> Int { try file.nextData(from: offset) }

    func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
      owner.operations.withLock { $0 += 1 }
      return try file.read(into: &buffer, at: offset)
    }

    func write(_ bytes: RawSpan, at offset: Int) throws {
      owner.operations.withLock { $0 += 1 }
      try file.write(bytes, at: offset)
    }
  }
}
