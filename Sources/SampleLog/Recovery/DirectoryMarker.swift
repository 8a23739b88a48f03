/// The marker files that restrict the use of a directory.
enum DirectoryMarker {
  /// Throws if a directory is unfinished or does not allow the access mode.
  ///
  /// Backups are read-only, and replicas accept only their primary's commits.
  static func check(
    _ path: String, _ mode: OpenMode, _ fileSystem: any FileSystem, primaryName: String? = nil
  ) throws {
    let names = try fileSystem.list(path) ?? []
    if names.contains(FileNames.unfinished) { throw StoreError.isUnfinished(path: path) }
    if mode == .readWrite, names.contains(FileNames.backup) {
      throw StoreError.isBackup(path: path)
    }
    let isReplica = names.contains(FileNames.replica)
    if mode == .readWrite, isReplica, primaryName == nil {
      throw StoreError.replica(path: path, primary: try primary(path, fileSystem))
    }
    if primaryName != nil, !isReplica {
      throw StoreError.invalid("\(path) is not a replica.")
    }
  }

  /// Returns the name of the primary from a replica's marker file.
  private static func primary(_ path: String, _ fileSystem: any FileSystem) throws -> String {
    let file = try fileSystem.open(path + "/" + FileNames.replica, .read)
    let bytes = try file.bytes(min(try file.size(), 4096), at: 0) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Creates the marker file of a replica, which names its primary.
  static func markReplica(_ path: String, of primary: String, _ fileSystem: any FileSystem) throws {
    try write(Array(primary.utf8), as: FileNames.replica, in: path, fileSystem)
  }

  /// Replaces a marker file atomically and durably.
  static func write(
    _ bytes: [UInt8], as name: String, in path: String, _ fileSystem: any FileSystem
  ) throws {
    let marker = path + "/" + name
    let temporary = marker + FileNames.temporarySuffix
    if try fileSystem.list(path)?.contains(name + FileNames.temporarySuffix) == true {
      try fileSystem.remove(temporary)
    }
    let file = try fileSystem.open(temporary, .create)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
    try fileSystem.rename(temporary, to: marker)
    try fileSystem.syncDirectory(path)
  }
}
