import SampleLog

/// A file system in memory that can be full: creating a file then fails until some are removed.
final class SmallDisk: FileSystem {
  let files = MemoryFileSystem()
  /// The number of files to remove before one can be created, or nil while there is space.
  private let missing = Locked<Int?>(nil)

  var isFull: Bool { missing.withLock { $0 != nil } }

  /// Fills the disk.
  func fill(missing count: Int = 1) { missing.withLock { $0 = count } }

  func createDirectory(_ path: String) throws { files.createDirectory(path) }
  func list(_ path: String) throws -> [String]? { files.list(path) }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    if case .create = access, isFull {
      throw StoreError.inputOutput(
        operation: "create", path: path, code: 28, message: "No space left on device")
    }
    return try files.open(path, access)
  }

  func rename(_ path: String, to newPath: String) throws { try files.rename(path, to: newPath) }

  func remove(_ path: String) throws {
    try files.remove(path)
    missing.withLock { count in
      guard let left = count else { return }
      count = left > 1 ? left - 1 : nil
    }
  }

  func syncDirectory(_ path: String) throws { files.syncDirectory(path) }
  func lock(_ path: String) throws -> any FileLock { try files.lock(path) }
}
