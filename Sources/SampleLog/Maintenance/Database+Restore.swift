/// The result of restoring a backup.
public struct RestoreResult: Hashable, Sendable {
  /// The backup's newest sequence number: anchors through it remain valid in the restored store.
  public var end: UInt64
  /// The restored store's epoch.
  public var epoch: UInt32
  /// The number of data files copied or linked.
  public var fileCount: Int
  /// The total length of these files, in bytes.
  public var byteCount: Int
}

extension Database {
  /// Creates a store from a backup.
  ///
  /// The store keeps its identity and begins its own epoch. Anchors that the original issued at or
  /// before the backup's end remain valid; later ones are rejected with
  /// ``StoreError/anchorFromTheFuture(anchor:end:)``, even after the restored store has advanced
  /// past them. Every byte of the backup is read and verified first. A manual copy of a directory
  /// to which no process was writing can be restored as well. The backup is not modified.
  ///
  /// - Parameters:
  ///   - backup: The backup's directory.
  ///   - destination: A directory that does not exist or is empty.
  ///   - linksFiles: Whether to hard-link immutable files instead of copying them, if the file
  ///     system supports it.
  ///   - options: The clock and the source of random numbers.
  ///   - fileSystem: The file system of both directories.
  /// - Returns: The result.
  /// - Throws: ``StoreError/notEmpty(path:)``, ``StoreError/isUnfinished(path:)``,
  ///   ``StoreError/notAStore(path:)``, ``StoreError/damaged(file:offset:reason:)`` if the backup
  ///   is damaged (try ``repair(from:to:options:fileSystem:)``), or an error of the operating
  ///   system. On failure the destination contains none of the created files.
  @discardableResult
  public static func restore(
    from backup: String, to destination: String, linksFiles: Bool = true,
    options: Database.Options = Database.Options(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> RestoreResult {
    try DirectoryMarker.check(backup, .readOnly, fileSystem)
    var strict = options
    strict.toleratesDamage = false
    var recovery = Recovery(
      path: backup, mode: .readOnly, options: strict, fileSystem: fileSystem,
      symbols: SymbolTable())
    let source = try recovery.run()
    for segment in source.segments { try checkAll(segment) }
    let epoch = source.identity.lineage.newEpoch(after: source.epoch, random: options.random())
    var directory = try StagingDirectory(destination, fileSystem)
    do {
      for segment in source.segments { try directory.add(segment, of: backup, linking: linksFiles) }
      for log in source.logs where log.end.first <= source.end {
        try directory.add(log.name, copying: log.file, length: Int(log.end.length))
      }
      let last = source.logs.last { $0.end.first <= source.end }
      let start = EpochStart(
        storeID: source.storeID, epoch: epoch, end: source.end, predecessor: last?.end,
        history: source.lastLog?.log.history.value ?? 0,
        lineage: source.identity.lineage.adding(source.epoch, through: source.end, end: source.end))
      try start.write(into: &directory, options)
      try directory.markPublished(as: backup)
      try check(directory, end: start.last)
      try directory.finish(asBackup: false)
    } catch {
      directory.discard()
      throw error
    }
    return RestoreResult(
      end: source.end, epoch: epoch, fileCount: directory.fileCount - 1,
      byteCount: directory.byteCount)
  }

  /// Verifies every byte of a segment; throws the first error.
  static func checkAll(_ segment: Segment) throws {
    var first: StoreError?
    segment.verify { offset, reason in
      if first == nil {
        first = .damaged(file: segment.name, offset: offset, reason: reason)
      }
    }
    if let first { throw first }
  }
}
