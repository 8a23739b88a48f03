import Foundation
import HealthStore
import SampleLog
import Testing

@testable import AppleHealthExport

/// A file system whose operations all fail from the n-th on.
private final class FailingFileSystem: FileSystem, @unchecked Sendable {
  private let system = PosixFileSystem()
  private let fails: Locked<(count: Int, at: Int)>

  init(at operation: Int) { fails = Locked((0, operation)) }

  var count: Int { fails.withLock { $0.count } }

  fileprivate func step(_ path: String) throws {
    let isFailure = fails.withLock { state in
      state.count += 1
      return state.count >= state.at
    }
    if isFailure {
      throw StoreError.inputOutput(
        operation: "write", path: path, code: 28, message: "No space left on device")
    }
  }

  func createDirectory(_ path: String) throws {
    try step(path)
    try system.createDirectory(path)
  }

  func list(_ path: String) throws -> [String]? {
    try step(path)
    return try system.list(path)
  }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    try step(path)
    return FailingFile(try system.open(path, access), path, self)
  }

  func rename(_ path: String, to newPath: String) throws {
    try step(path)
    try system.rename(path, to: newPath)
  }

  func remove(_ path: String) throws {
    try step(path)
    try system.remove(path)
  }

  func syncDirectory(_ path: String) throws {
    try step(path)
    try system.syncDirectory(path)
  }

  func lock(_ path: String) throws -> any FileLock { try system.lock(path) }
}

private final class FailingFile: File, @unchecked Sendable {
  private let file: any File
  private let path: String
  private let system: FailingFileSystem

  init(_ file: any File, _ path: String, _ system: FailingFileSystem) {
    self.file = file
    self.path = path
    self.system = system
  }

  func size() throws -> Int { try file.size() }
  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try file.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try system.step(path)
    try file.write(bytes, at: offset)
  }

  func sync() throws {
    try system.step(path)
    try file.sync()
  }

  func preallocate(_ length: Int) throws { try file.preallocate(length) }
  func truncate(to length: Int) throws { try file.truncate(to: length) }
}

@Suite struct WritingFailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func exports(_ path: String) throws -> Bool {
    do {
      _ = try ExportSource.open(path)
      return true
    } catch ExportError.noExportInside {
      return false
    } catch ExportError.cannotOpen {
      return false
    }
  }

  @Test func `Interrupting any operation leaves a whole export or none`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    var random = RandomObjects(seed: 5)
    try await random.fill(store, rounds: 1)
    let options = ExportWriter.Options(date: .distantPast)
    let whole = FailingFileSystem(at: .max)
    _ = try ExportWriter(from: store, options: options, fileSystem: whole)
      .write(to: folder.path + "/whole")
    let expected = try contents(of: folder.path + "/whole")
    #expect(whole.count > 12)
    for operation in 1...whole.count {
      let path = "\(folder.path)/\(operation)"
      let system = FailingFileSystem(at: operation)
      do {
        _ = try ExportWriter(from: store, options: options, fileSystem: system).write(to: path)
        Issue.record("the failure of operation \(operation) was not reported")
      } catch ExportError.cannotWrite(_, let reason) {
        #expect(reason.contains("No space left on device"))
      }
      // Only the last operation, which makes it durable, follows the rename.
      let isWhole = try exports(path)
      #expect(isWhole == (operation == whole.count))
      if isWhole { #expect(try contents(of: path) == expected) }
    }
  }

  @Test func `After an error the files are removed, and the next attempt succeeds`() async throws {
    let store = HKHealthStore.inMemory()
    let path = folder.path + "/out"
    try folder.write("out/clinical-records", [1])
    #expect(throws: ExportError.notEmpty(path: path)) {
      try ExportWriter(from: store).write(to: path)
    }
    #expect(try contents(of: path).keys.sorted() == ["clinical-records"])
    try FileManager.default.removeItem(atPath: path + "/clinical-records")
    #expect(try ExportWriter(from: store).write(to: path).written == 0)
    #expect(try exports(path))
  }

  @Test func `A folder that cannot be made is named`() throws {
    let file = try folder.write("file", [1])
    do {
      _ = try ExportWriter(from: .inMemory()).write(to: file + "/out")
      Issue.record("the export was written below a file")
    } catch ExportError.cannotWrite(let path, _) {
      #expect(path.hasPrefix(file))
    }
  }

  @Test func `A store with a policy cannot be exported`() throws {
    let store = HKHealthStore.inMemory()
    store.authorization = AuthorizationPolicy()
    #expect(throws: HKError.self) { try ExportWriter(from: store).write(to: folder.path + "/out") }
  }
}
