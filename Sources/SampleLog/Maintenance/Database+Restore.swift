/// What restoring a backup made.
public struct RestoreResult: Hashable, Sendable {
  /// The backup's newest sequence number: anchors up to it go on in the restored store.
  public var end: UInt64
  /// The restored store's epoch.
  public var epoch: UInt32
  /// Files of data copied or linked.
  public var fileCount: Int
  /// Bytes of those files.
  public var byteCount: Int
}

extension Database {
  /// Makes a store of a backup.
  ///
  /// The store keeps its identity and gets an epoch of its own: anchors that the original gave at
  /// or before the backup's end go on in it, and later ones are refused with
  /// ``StoreError/anchorFromTheFuture(anchor:end:)``, however far the restored store has come.
  /// Every
  /// byte of the backup is read and checked first. A directory that was copied by hand while nobody
  /// wrote to it can be restored as well. The backup is not changed.
  ///
  /// - Parameters:
  ///   - backup: The backup's directory.
  ///   - destination: A directory that does not exist or is empty.
  ///   - linksFiles: Whether immutable files get a second name instead of being copied, where the
  ///     file system can.
  ///   - options: Where time and randomness come from.
  ///   - fileSystem: Where both directories are.
  /// - Returns: What was made.
  /// - Throws: ``StoreError/notEmpty(path:)``, ``StoreError/isUnfinished(path:)``,
  ///   ``StoreError/notAStore(path:)``, ``StoreError/damaged(file:offset:reason:)`` for a backup
  ///   that
  ///   is, which ``repair(from:to:options:fileSystem:)`` may help, or an error of the operating
  ///   system, after which the destination holds no file that was made.
  @discardableResult
  public static func restore(
    from backup: String, to destination: String, linksFiles: Bool = true,
    options: Database.Options = Database.Options(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> RestoreResult {
    try DirectoryMark.check(backup, .readOnly, fileSystem)
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

  /// Reads every byte of a segment; throws at the first that is wrong.
  private static func checkAll(_ segment: Segment) throws {
    var first: StoreError?
    segment.verify { offset, reason in
      if first == nil {
        first = .damaged(file: segment.name, offset: offset, reason: reason)
      }
    }
    if let first { throw first }
  }
}
