public import SampleLog

extension Replica {
  /// Makes a replica of a backup of its primary or of another replica.
  ///
  /// The stream must reach back to where the backup ends, or the replica needs another one.
  ///
  /// - Parameters:
  ///   - backup: What `Database.backup(to:linksFiles:)` made; it is not changed.
  ///   - path: A directory that does not exist or is empty.
  ///   - primary: The name of the primary, which errors name to those who try to save.
  ///   - linksFiles: Whether immutable files get a second name instead of being copied, where the
  ///     file system can.
  ///   - fileSystem: Where both directories are.
  /// - Throws: `StoreError.notEmpty`, `StoreError.damaged` for a
  ///   backup that is, or an error of the operating system, after which the directory holds no file
  ///   that was made.
  public static func make(
    from backup: String, at path: String, of primary: String, linksFiles: Bool = true,
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try Database.makeReplica(
      from: backup, at: path, of: primary, linksFiles: linksFiles, fileSystem: fileSystem)
  }

  /// Removes the files of a replica that is closed and needs a backup, so that one can be made in
  /// the same directory.
  ///
  /// A crash leaves a directory that no one opens; calling this again empties it.
  ///
  /// - Throws: An error of the operating system.
  public static func discard(
    _ path: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try Database.discardFiles(in: path, fileSystem: fileSystem)
  }
}
