/// The files that say that a directory is not a store to write to.
enum DirectoryMark {
  /// Refuses to open a directory that is not finished, and to write to a backup or, but for its
  /// primary's commits, to a replica.
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

  /// The primary that a replica's mark names.
  private static func primary(_ path: String, _ fileSystem: any FileSystem) throws -> String {
    let file = try fileSystem.open(path + "/" + FileNames.replica, .read)
    let bytes = try file.bytes(min(try file.size(), 4096), at: 0) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Marks a directory as a replica and names its primary.
  static func markReplica(_ path: String, of primary: String, _ fileSystem: any FileSystem) throws {
    try write(Array(primary.utf8), as: FileNames.replica, in: path, fileSystem)
  }

  /// Writes a mark durably: all of it, or the one before stays.
  static func write(
    _ bytes: [UInt8], as name: String, in path: String, _ fileSystem: any FileSystem
  ) throws {
    let mark = path + "/" + name
    let temporary = mark + FileNames.temporarySuffix
    if try fileSystem.list(path)?.contains(name + FileNames.temporarySuffix) == true {
      try fileSystem.remove(temporary)
    }
    let file = try fileSystem.open(temporary, .create)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
    try fileSystem.rename(temporary, to: mark)
    try fileSystem.syncDirectory(path)
  }
}
