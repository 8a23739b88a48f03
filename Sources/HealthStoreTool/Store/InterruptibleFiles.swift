import SampleLog

/// A file system that throws instead of opening or linking files once the process was asked to end.
///
/// An operation that reads or copies many files therefore stops after the current one. Removal
/// still works, so an incomplete copy can be cleaned up.
struct InterruptibleFiles: FileSystem {
  private let files = PosixFileSystem()
  private let isAsked: @Sendable () -> Bool

  init(isAsked: @escaping @Sendable () -> Bool) { self.isAsked = isAsked }

  func open(_ path: String, _ access: FileAccess) throws -> any File {
    if isAsked() { throw StoreError.cancelled }
    return try files.open(path, access)
  }

  func link(_ path: String, to newPath: String) throws {
    if isAsked() { throw StoreError.cancelled }
    try files.link(path, to: newPath)
  }

  func absolute(_ path: String) throws -> String { try files.absolute(path) }
  func createDirectory(_ path: String) throws { try files.createDirectory(path) }
  func list(_ path: String) throws -> [String]? { try files.list(path) }
  func rename(_ path: String, to newPath: String) throws { try files.rename(path, to: newPath) }
  func remove(_ path: String) throws { try files.remove(path) }
  func syncDirectory(_ path: String) throws { try files.syncDirectory(path) }
  func lock(_ path: String) throws -> any FileLock { try files.lock(path) }
  func watch(_ path: String) -> any DirectoryWatch { files.watch(path) }
}
