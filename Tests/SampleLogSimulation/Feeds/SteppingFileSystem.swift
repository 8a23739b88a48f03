package import SampleLog

/// An in-memory file system that calls a function before each change.
///
/// The function runs between two operations of the engine, on its thread and with its locks held,
/// so it may read but not write.
package final class SteppingFileSystem: FileSystem {
  private let base: MemoryFileSystem
  private let step: @Sendable () -> Void

  package init(_ base: MemoryFileSystem, _ step: @escaping @Sendable () -> Void) {
    self.base = base
    self.step = step
  }

  package func createDirectory(_ path: String) { base.createDirectory(path) }

  package func list(_ path: String) -> [String]? { base.list(path) }

  package func open(_ path: String, _ access: FileAccess) throws -> any File {
    if case .create = access { step() }
    return SteppingFile(try base.open(path, access), step)
  }

  package func rename(_ path: String, to newPath: String) throws {
    step()
    try base.rename(path, to: newPath)
  }

  package func remove(_ path: String) throws {
    step()
    try base.remove(path)
  }

  package func syncDirectory(_ path: String) {
    step()
    base.syncDirectory(path)
  }

  package func lock(_ path: String) throws -> any FileLock { try base.lock(path) }
}

private final class SteppingFile: File {
  private let base: any File
  private let step: @Sendable () -> Void

  init(_ base: any File, _ step: @escaping @Sendable () -> Void) {
    self.base = base
    self.step = step
  }

  func size() throws -> Int { try base.size() }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try base.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    step()
    try base.write(bytes, at: offset)
  }

  func sync() throws {
    step()
    try base.sync()
  }

  func preallocate(_ length: Int) throws { try base.preallocate(length) }

  func truncate(to length: Int) throws {
    step()
    try base.truncate(to: length)
  }
}
