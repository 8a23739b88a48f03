public import SampleLog

extension Replica {
  /// Creates a replica from a backup of its primary or of another replica.
  ///
  /// The stream must reach back to the end of the backup; otherwise the replica needs a newer one.
  ///
  /// - Parameters:
  ///   - backup: A backup made by `Database.backup(to:linksFiles:)`, which is not changed.
  ///   - path: A directory that does not exist or is empty.
  ///   - primary: The name of the primary, which is part of the error of saving in the replica.
  ///   - linksFiles: Whether immutable files are hard-linked instead of copied, if the file system
  ///     supports it.
  ///   - fileSystem: The file system of both directories.
  /// - Throws: `StoreError.notEmpty`, `StoreError.damaged` if the backup is damaged, or an error of
  ///   the operating system, after which the directory contains no file that was created.
  public static func make(
    from backup: String, at path: String, of primary: String, linksFiles: Bool = true,
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try Database.makeReplica(
      from: backup, at: path, of: primary, linksFiles: linksFiles, fileSystem: fileSystem)
  }

  /// Removes the files of a closed replica that needs a backup.
  ///
  /// A new replica can then be created in the same directory. A crash leaves a directory that
  /// cannot be opened; calling this method again empties it.
  ///
  /// - Throws: An error of the operating system.
  public static func discard(
    _ path: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try Database.discardFiles(in: path, fileSystem: fileSystem)
  }
}
