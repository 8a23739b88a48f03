package import SampleLog

/// A process's view of in-memory files; the process may die at any sync.
///
/// At a crash each file either keeps or loses its writes since the last sync. Changes of names
/// are durable immediately. Not safe for concurrent use.
package final class CrashingFileSystem: FileSystem, @unchecked Sendable {
  private let base: MemoryFileSystem
  private let locks: LockTable
  private var random: Seeded
  private var syncsLeft: Int?
  /// The previous contents of unsynced writes, oldest first.
  private var unsynced: [(file: any File, offset: Int, bytes: [UInt8], size: Int)] = []
  package private(set) var hasCrashed = false
  /// Whether listings omit the files by which a writer knows that the store is published.
  var hidesPublication = false

  /// The holder of each lock.
  package final class LockTable: @unchecked Sendable {
    fileprivate var holders: [String: ObjectIdentifier] = [:]

    package init() {}
  }

  package init(_ base: MemoryFileSystem, _ locks: LockTable, seed: UInt64) {
    self.base = base
    self.locks = locks
    random = Seeded(seed)
  }

  /// Makes the process die at one of its next syncs.
  package func die(afterSyncs count: Int) { syncsLeft = count }

  /// Kills the process.
  ///
  /// Later calls have no effect on files.
  package func kill() {
    if hasCrashed { return }
    hasCrashed = true
    while let file = unsynced.first?.file {
      let isLost = random.oneIn(2)
      for write in unsynced.reversed() where isLost && write.file === file {
        // In-memory files do not fail.
        try? write.bytes.withUnsafeBytes { try write.file.write($0, at: write.offset) }
        try? write.file.truncate(to: write.size)
      }
      unsynced.removeAll { $0.file === file }
    }
    locks.holders = locks.holders.filter { $0.value != ObjectIdentifier(self) }
  }

  fileprivate func check() throws {
    if hasCrashed { throw Self.failure }
  }

  /// Makes a file durable, or kills the process before that.
  fileprivate func sync(_ file: (any File)? = nil) throws {
    try check()
    if let left = syncsLeft {
      syncsLeft = left - 1
      if left <= 0 {
        kill()
        throw Self.failure
      }
    }
    if let file { unsynced.removeAll { $0.file === file } }
  }

  /// Saves the contents that a write is about to replace.
  fileprivate func remember(_ file: any File, _ range: Range<Int>) throws {
    try check()
    let size = try file.size()
    let known = min(range.lowerBound, size)..<min(range.upperBound, size)
    let bytes = try file.bytes(known.count, at: known.lowerBound) ?? []
    unsynced.append((file, known.lowerBound, bytes, size))
  }

  private static let failure = StoreError.inputOutput(
    operation: "sync", path: "", code: 5, message: "the process has died")

  package func createDirectory(_ path: String) throws {
    try check()
    base.createDirectory(path)
  }

  package func list(_ path: String) throws -> [String]? {
    try check()
    let names = base.list(path)?.sorted()
    guard hidesPublication else { return names }
    return names?.filter { $0 != FileNames.published && FileNames.sealedLogFirst($0) == nil }
  }

  package func open(_ path: String, _ access: FileAccess) throws -> any File {
    try check()
    return CrashingFile(try base.open(path, access), self)
  }

  package func rename(_ path: String, to newPath: String) throws {
    try check()
    try base.rename(path, to: newPath)
  }

  package func link(_ path: String, to newPath: String) throws {
    try check()
    try base.link(path, to: newPath)
  }

  package func remove(_ path: String) throws {
    try check()
    try base.remove(path)
  }

  package func syncDirectory(_ path: String) throws { try sync() }

  package func lock(_ path: String) throws -> any FileLock {
    try check()
    if locks.holders[path] != nil { throw StoreError.locked(path: path, holder: "a process") }
    locks.holders[path] = ObjectIdentifier(self)
    return Lock(path, self)
  }

  private final class Lock: FileLock, @unchecked Sendable {
    private let path: String
    private let owner: CrashingFileSystem

    init(_ path: String, _ owner: CrashingFileSystem) {
      self.path = path
      self.owner = owner
    }

    deinit { release() }

    func release() {
      if owner.locks.holders[path] == ObjectIdentifier(owner) { owner.locks.holders[path] = nil }
    }
  }
}

/// A file that loses unsynced writes when its process dies.
private final class CrashingFile: File, Sendable {
  private let base: any File
  private let owner: CrashingFileSystem

  init(_ base: any File, _ owner: CrashingFileSystem) {
    self.base = base
    self.owner = owner
  }

  func size() throws -> Int {
    try owner.check()
    return try base.size()
  }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try owner.check()
    return try base.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try owner.remember(base, offset..<offset + bytes.byteCount)
    try base.write(bytes, at: offset)
  }

  func sync() throws { try owner.sync(base) }

  func preallocate(_ length: Int) throws { try owner.check() }

  func truncate(to length: Int) throws {
    try owner.remember(base, length..<max(length, try base.size()))
    try base.truncate(to: length)
  }
}
