@testable import SampleLog
import Foundation
import Testing

/// A directory that another store replaces before each of a writer's file operations in turn.
@Suite final class ReplacedAtAnyMomentTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
  private var path: String { folder + "/store" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Saves, seals, compacts and closes; continues with the next operation after each error.
  private func work(_ database: Database) {
    for round in 0..<3 {
      for value in 0..<3 { _ = try? database.save(start: Double(round * 3 + value), value: 1) }
      try? database.seal()
      _ = try? database.compact()
    }
    try? database.close()
  }

  @Test func `The replacing store loses nothing, and foreign files in it are reported`() throws {
    var moment = 0
    var strangers = 0
    while true {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let disk = CallCounter(until: moment) { [path] in
        try FileManager.default.removeItem(atPath: path)
        let second = try Database(path: path, options: testOptions())
        for value in 1...5 { try second.save(start: Double(value), value: Double(value)) }
        try second.close()
      }
      let first = try Database(path: path, options: testOptions(), fileSystem: disk)
      disk.start()
      work(first)
      guard disk.isReached else { break }
      for damage in try Verification(path: path).damages {
        // A file may enter the directory between the last check and the operation.
        #expect(damage.reason == "the file is of another store")
        strangers += 1
        try FileManager.default.removeItem(atPath: path + "/" + damage.file)
      }
      #expect(
        try Database(path: path, options: testOptions()).values() == [1, 2, 3, 4, 5],
        "before operation \(moment)")
      try FileManager.default.removeItem(atPath: folder)
      moment += 1
    }
    #expect(moment > 50)
    #expect(strangers < moment / 2)
  }
}

/// The operating system's file system, with a callback before the operation of a given number.
private final class CallCounter: FileSystem, @unchecked Sendable {
  private let base = PosixFileSystem()
  private let moment: Int
  private let body: () throws -> Void
  private let count = Locked<Int?>(nil)
  private(set) var isReached = false

  init(until moment: Int, _ body: @escaping () throws -> Void) {
    self.moment = moment
    self.body = body
  }

  /// Starts counting at zero.
  func start() { count.withLock { $0 = 0 } }

  fileprivate func next() {
    let isNow = count.withLock { count in
      defer { count = count.map { $0 + 1 } }
      return count == moment
    }
    guard isNow else { return }
    isReached = true
    #expect(throws: Never.self) { try body() }
  }

  func createDirectory(_ path: String) throws { try base.createDirectory(path) }
  func list(_ path: String) throws -> [String]? { try base.list(path) }
  func lock(_ path: String) throws -> any FileLock { try base.lock(path) }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    if case .create = access { next() }
    return Counted(try base.open(path, access), self)
  }

  func rename(_ path: String, to newPath: String) throws {
    next()
    try base.rename(path, to: newPath)
  }

  // Not counted: the check and the removal are two calls. If the directory is replaced between
  // them, either of two files with one name may be removed.
  func remove(_ path: String) throws { try base.remove(path) }

  func syncDirectory(_ path: String) throws {
    next()
    try base.syncDirectory(path)
  }

  private final class Counted: File {
    private let file: any File
    private let owner: CallCounter

    init(_ file: any File, _ owner: CallCounter) {
      self.file = file
      self.owner = owner
    }

    func size() throws -> Int { try file.size() }
    func preallocate(_ length: Int) throws { try file.preallocate(length) }
    func truncate(to length: Int) throws { try file.truncate(to: length) }

    func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
      try file.read(into: &buffer, at: offset)
    }

    func write(_ bytes: RawSpan, at offset: Int) throws {
      owner.next()
      try file.write(bytes, at: offset)
    }

    func sync() throws {
      owner.next()
      try file.sync()
    }
  }
}
