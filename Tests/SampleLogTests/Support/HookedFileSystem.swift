import SampleLog

/// A file system in memory that calls a function before each change.
final class HookedFileSystem: FileSystem, @unchecked Sendable {
  let memory: MemoryFileSystem
  // Set by the test while no other thread uses the file system.
  var before: (_ operation: String, _ path: String) throws -> Void = { _, _ in }
  var beforeListing: () -> Void = {}
  var beforeOpening: (_ path: String) throws -> Void = { _ in }
  var beforeReading: (_ path: String) throws -> Void = { _ in }
  var beforeWriting: (_ path: String, _ range: Range<Int>) throws -> Void = { _, _ in }
  var beforeReserving: (_ path: String, _ length: Int) throws -> Void = { _, _ in }

  /// The free space of the disk; locked because background threads read it.
  let available = Locked<Int?>(nil)

  init(_ memory: MemoryFileSystem = MemoryFileSystem()) { self.memory = memory }

  func availableByteCount(_ path: String) -> Int? { available.withLock { $0 } }

  func createDirectory(_ path: String) throws {
    try before("createDirectory", path)
    memory.createDirectory(path)
  }

  func list(_ path: String) -> [String]? {
    beforeListing()
    return memory.list(path)
  }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    if case .create = access { try before("create", path) }
    if case .read = access { try beforeOpening(path) }
    return HookedFile(try memory.open(path, access), path, self)
  }

  func rename(_ path: String, to newPath: String) throws {
    try before("rename", path)
    try memory.rename(path, to: newPath)
  }

  func link(_ path: String, to newPath: String) throws {
    try before("link", path)
    try memory.link(path, to: newPath)
  }

  func remove(_ path: String) throws {
    try before("remove", path)
    try memory.remove(path)
  }

  func syncDirectory(_ path: String) throws { try before("syncDirectory", path) }
  func lock(_ path: String) throws -> any FileLock { Lock(try memory.lock(path), self) }

  /// Whether the process was forked from the store's process.
  var isForked = false

  private final class Lock: FileLock {
    private let lock: any FileLock
    private let owner: HookedFileSystem

    init(_ lock: any FileLock, _ owner: HookedFileSystem) {
      self.lock = lock
      self.owner = owner
    }

    var isOwn: Bool { !owner.isForked }
    func release() { lock.release() }
  }
}

private final class HookedFile: File {
  private let file: any File
  private let path: String
  private let owner: HookedFileSystem

  init(_ file: any File, _ path: String, _ owner: HookedFileSystem) {
    self.file = file
    self.path = path
    self.owner = owner
  }

  func size() throws -> Int { try file.size() }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try owner.beforeReading(path)
    return try file.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try owner.before("write", path)
    try owner.beforeWriting(path, offset..<offset + bytes.byteCount)
    try file.write(bytes, at: offset)
  }

  func sync() throws { try owner.before("sync", path) }
  func preallocate(_ length: Int) throws { try owner.beforeReserving(path, length) }

  func truncate(to length: Int) throws {
    try owner.before("truncate", path)
    try file.truncate(to: length)
  }
}
