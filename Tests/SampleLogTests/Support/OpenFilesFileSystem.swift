import SampleLog

/// A file system in memory that tracks open files, including removed ones.
final class OpenFilesFileSystem: FileSystem, Sendable {
  private struct State {
    var last = 0
    /// The names of the open files, by the number of their handle.
    var open: [Int: String] = [:]
    var removed: Set<Int> = []
  }

  private let memory = MemoryFileSystem()
  private let state = Locked(State())

  /// The names of the removed files that are open.
  var openRemovedFiles: [String] {
    state.withLock { state in state.removed.compactMap { state.open[$0] }.sorted() }
  }

  func createDirectory(_ path: String) { memory.createDirectory(path) }
  func list(_ path: String) -> [String]? { memory.list(path) }
  func syncDirectory(_ path: String) {}
  func lock(_ path: String) throws -> any FileLock { try memory.lock(path) }

  func rename(_ path: String, to newPath: String) throws {
    try memory.rename(path, to: newPath)
    state.withLock { state in
      for (number, name) in state.open where name == newPath { state.removed.insert(number) }
      for (number, name) in state.open where name == path { state.open[number] = newPath }
    }
  }

  func remove(_ path: String) throws {
    try memory.remove(path)
    state.withLock { state in
      for (number, name) in state.open where name == path { state.removed.insert(number) }
    }
  }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    let file = try memory.open(path, access)
    let number = state.withLock { state in
      state.last += 1
      state.open[state.last] = path
      return state.last
    }
    return CountedFile(file) { [state] in
      state.withLock { state in
        state.open[number] = nil
        state.removed.remove(number)
      }
    }
  }
}

private final class CountedFile: File {
  private let file: any File
  private let close: @Sendable () -> Void

  init(_ file: any File, close: @escaping @Sendable () -> Void) {
    self.file = file
    self.close = close
  }

  deinit { close() }

  func size() throws -> Int { try file.size() }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try file.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try file.write(bytes, at: offset)
  }

  func sync() {}
  func preallocate(_ length: Int) {}
  func truncate(to length: Int) throws { try file.truncate(to: length) }
}
