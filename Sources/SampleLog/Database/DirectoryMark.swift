/// The files that say that a directory is not a store to write to.
enum DirectoryMark {
  /// Refuses to open a directory that is not finished, and to write to a backup.
  static func check(_ path: String, _ mode: OpenMode, _ fileSystem: any FileSystem) throws {
    let names = try fileSystem.list(path) ?? []
    if names.contains(FileNames.unfinished) { throw StoreError.isUnfinished(path: path) }
    if mode == .readWrite, names.contains(FileNames.backup) {
      throw StoreError.isBackup(path: path)
    }
  }
}
