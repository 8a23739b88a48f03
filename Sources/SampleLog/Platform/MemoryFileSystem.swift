/// An in-memory file system, whose contents live as long as the object.
public final class MemoryFileSystem: FileSystem {
  private struct State {
    var files: [String: MemoryFile] = [:]
    var directories: Set<String> = []
    var locks: Set<String> = []
  }

  private final class Lock: FileLock {
    private let path: String
    private let fileSystem: Locked<MemoryFileSystem?>

    init(_ path: String, _ fileSystem: MemoryFileSystem) {
      self.path = path
      self.fileSystem = Locked(fileSystem)
    }

    deinit { release() }

    func release() {
      let held = fileSystem.withLock { $0.take() }
      held?.state.withLock { _ = $0.locks.remove(path) }
    }
  }

  private let state = Locked(State())

  /// Creates an empty file system.
  public init() {}

  private func missing(_ operation: String, _ path: String) -> StoreError {
    .inputOutput(operation: operation, path: path, code: 2, message: "No such file or directory")
  }

  /// Creates a directory.
  public func createDirectory(_ path: String) {
    state.withLock { _ = $0.directories.insert(path) }
  }

  /// Returns the names of the entries of a directory.
  public func list(_ path: String) -> [String]? {
    state.withLock { state in
      guard state.directories.contains(path) else { return nil }
      let prefix = path + "/"
      return state.files.keys.compactMap { name in
        guard name.hasPrefix(prefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        return rest.contains("/") ? nil : String(rest)
      }
    }
  }

  /// Opens an existing file or creates a new one.
  public func open(_ path: String, _ access: FileAccess) throws -> any File {
    try state.withLock { state in
      if case .create = access {
        if state.files[path] != nil {
          throw StoreError.inputOutput(
            operation: "create", path: path, code: 17, message: "File exists")
        }
        let file = MemoryFile()
        state.files[path] = file
        return file
      }
      guard let file = state.files[path] else { throw missing("open", path) }
      return file
    }
  }

  /// Renames a file, replacing any file with the new name.
  public func rename(_ path: String, to newPath: String) throws {
    try state.withLock { state in
      guard let file = state.files.removeValue(forKey: path) else { throw missing("rename", path) }
      state.files[newPath] = file
    }
  }

  /// Creates a second name for a file, which must not exist.
  public func link(_ path: String, to newPath: String) throws {
    try state.withLock { state in
      guard let file = state.files[path] else { throw missing("link", path) }
      if state.files[newPath] != nil {
        throw StoreError.inputOutput(
          operation: "link", path: path, code: 17, message: "File exists")
      }
      state.files[newPath] = file
    }
  }

  /// Removes a file's name.
  public func remove(_ path: String) throws {
    try state.withLock { state in
      if state.files.removeValue(forKey: path) == nil { throw missing("remove", path) }
    }
  }

  /// Does nothing, because memory is never durable.
  public func syncDirectory(_ path: String) {}

  /// Returns a copy of the current files without locks, as after a crash of all processes.
  ///
  /// The copy is independent of this file system, which remains usable.
  package func copy() -> MemoryFileSystem {
    let copy = MemoryFileSystem()
    state.withLock { state in
      let files = state.files.mapValues { $0.copy() }
      let directories = state.directories
      copy.state.withLock { copied in
        copied.files = files
        copied.directories = directories
      }
    }
    return copy
  }

  /// Acquires a directory's writer lock.
  public func lock(_ path: String) throws -> any FileLock {
    try state.withLock { state in
      guard state.locks.insert(path).inserted else {
        throw StoreError.locked(path: path, holder: "this process")
      }
      return Lock(path, self)
    }
  }
}

/// An in-memory file.
private final class MemoryFile: File {
  private let bytes = Locked<[UInt8]>([])

  func copy() -> MemoryFile {
    let content = bytes.withLock { $0 }
    let copy = MemoryFile()
    copy.bytes.withLock { $0 = content }
    return copy
  }

  func size() -> Int { bytes.withLock { $0.count } }

  func read(into buffer: inout MutableRawSpan, at offset: Int) -> Int {
    buffer.withUnsafeMutableBytes { buffer in
      bytes.withLock { bytes in
        guard offset < bytes.count else { return 0 }
        let count = min(buffer.count, bytes.count - offset)
        buffer.copyBytes(from: bytes[offset..<offset + count])
        return count
      }
    }
  }

  func readCached(into buffer: inout MutableRawSpan, at offset: Int) -> Bool {
    read(into: &buffer, at: offset) == buffer.byteCount
  }

  func write(_ source: RawSpan, at offset: Int) {
    source.withUnsafeBytes { source in
      bytes.withLock { bytes in
        let end = offset + source.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.withUnsafeMutableBytes { target in
          UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: source)
        }
      }
    }
  }

  func sync() {}
  func preallocate(_ length: Int) {}

  func truncate(to length: Int) {
    bytes.withLock { bytes in
      if length <= bytes.count {
        bytes.removeLast(bytes.count - length)
      } else {
        bytes += [UInt8](repeating: 0, count: length - bytes.count)
      }
    }
  }
}
