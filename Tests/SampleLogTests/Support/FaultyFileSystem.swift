import SampleLog

/// A file system whose operations can be made to fail.
final class FaultyFileSystem: FileSystem, @unchecked Sendable {
  /// The operations that fail from now on.
  struct Faults: OptionSet {
    let rawValue: Int
    static let write = Faults(rawValue: 1)
    static let sync = Faults(rawValue: 2)
    static let create = Faults(rawValue: 4)
    static let preallocate = Faults(rawValue: 8)
  }

  let memory: MemoryFileSystem
  // Changed between operations only, on the one thread of the test.
  var faults: Faults = []

  init(_ memory: MemoryFileSystem = MemoryFileSystem()) { self.memory = memory }

  static let error = StoreError.inputOutput(
    operation: "do something with", path: "a file", code: 5, message: "Input/output error")

  func check(_ fault: Faults) throws {
    if faults.contains(fault) { throw Self.error }
  }

  func createDirectory(_ path: String) { memory.createDirectory(path) }
  func list(_ path: String) -> [String]? { memory.list(path) }
  func rename(_ path: String, to newPath: String) throws { try memory.rename(path, to: newPath) }
  func remove(_ path: String) throws { try memory.remove(path) }
  func syncDirectory(_ path: String) throws { try check(.sync) }
  func lock(_ path: String) throws -> any FileLock { try memory.lock(path) }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    if case .create = access { try check(.create) }
    return FaultyFile(try memory.open(path, access), self)
  }
}

private final class FaultyFile: File {
  private let file: any File
  private let owner: FaultyFileSystem

  init(_ file: any File, _ owner: FaultyFileSystem) {
    self.file = file
    self.owner = owner
  }

  func size() throws -> Int { try file.size() }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try file.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try owner.check(.write)
    try file.write(bytes, at: offset)
  }

  func sync() throws { try owner.check(.sync) }
  func preallocate(_ length: Int) throws { try owner.check(.preallocate) }
  func truncate(to length: Int) throws { try file.truncate(to: length) }
}
