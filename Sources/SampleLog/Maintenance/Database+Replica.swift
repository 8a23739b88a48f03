/// The commit with which a copy of a store would begin an epoch of its own.
package struct EpochProposal: Sendable {
  /// The record of the epochs before it.
  package let frame: StoredFrame
  /// The new epoch.
  package let epoch: UInt32
  /// The store's ``Database/term`` then.
  package let term: UInt32
  /// The place in the history that it follows.
  package let before: HistoryPosition
}

extension Database {
  /// Makes a replica of a backup, with the history of the backup and no epoch of its own.
  ///
  /// - Parameters:
  ///   - backup: The backup's directory, which is not changed.
  ///   - destination: A directory that does not exist or is empty.
  ///   - primary: The name of the primary, for the errors of those who try to save.
  ///   - linksFiles: Whether immutable files get a second name instead of being copied, where the
  ///     file system can.
  ///   - options: How the files are read.
  ///   - fileSystem: Where both directories are.
  /// - Throws: What ``restore(from:to:linksFiles:options:fileSystem:)`` throws.
  package static func makeReplica(
    from backup: String, at destination: String, of primary: String, linksFiles: Bool = true,
    options: Database.Options = Database.Options(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try DirectoryMark.check(backup, .readOnly, fileSystem)
    var strict = options
    strict.toleratesDamage = false
    strict.primaryName = nil
    var recovery = Recovery(
      path: backup, mode: .readOnly, options: strict, fileSystem: fileSystem,
      symbols: SymbolTable())
    let source = try recovery.run()
    try makeReplica(at: destination, of: primary, fileSystem) { directory in
      for segment in source.segments { try directory.add(segment, of: backup, linking: linksFiles) }
      for log in source.logs {
        try directory.add(log.name, copying: log.file, length: Int(log.end.length))
      }
      try check(directory, end: source.end)
    }
  }

  /// Makes a replica that has nothing yet, of a store whose history is there from the beginning.
  ///
  /// - Throws: ``StoreError/notEmpty(path:)``, or an error of the operating system.
  package static func makeReplica(
    ofStore storeID: Identifier, epoch: UInt32, at destination: String, of primary: String,
    options: Database.Options = Database.Options(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: 1, salt: options.random(), predecessor: nil)
    try makeReplica(at: destination, of: primary, fileSystem) { directory in
      let file = try directory.create(FileNames.log(first: 1))
      try header.encoded.withUnsafeBytes { try file.write($0, at: 0) }
      try file.sync()
    }
  }

  private static func makeReplica(
    at destination: String, of primary: String, _ fileSystem: any FileSystem,
    _ body: (inout StagingDirectory) throws -> Void
  ) throws {
    var directory = try StagingDirectory(destination, fileSystem)
    do {
      try body(&directory)
      try DirectoryMark.markReplica(destination, of: primary, fileSystem)
      try directory.finish(asBackup: false)
    } catch {
      directory.discard()
      // Left where it is if that fails; the directory is refused as unfinished.
      try? fileSystem.remove(destination + "/" + FileNames.replica)
      throw error
    }
  }

  /// Makes a replica of a store that is closed, in place.
  package static func demote(
    _ path: String, to primary: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try DirectoryMark.markReplica(path, of: primary, fileSystem)
    if try fileSystem.list(path)?.contains(FileNames.published) == true {
      try fileSystem.remove(path + "/" + FileNames.published)
    }
  }

  /// Makes a replica that is closed a store to save in.
  ///
  /// Only the copy whose epoch the others follow may be: any other would go its own way. It is
  /// marked as published, because the stream has the record of its epoch.
  package static func promote(
    _ path: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try PublicationMark().write(to: path, fileSystem)
    try fileSystem.remove(path + "/" + FileNames.replica)
    try fileSystem.syncDirectory(path)
  }

  /// Removes a closed store's files, so that a replica can be made in their place.
  ///
  /// A crash leaves a directory that no one opens, and that this function empties, too.
  package static func discardFiles(
    in path: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    let names = try fileSystem.list(path) ?? []
    if names.isEmpty { return }
    if !names.contains(FileNames.unfinished) {
      let mark = try fileSystem.open(path + "/" + FileNames.unfinished, .create)
      try mark.sync()
      try fileSystem.syncDirectory(path)
    }
    let own = names.filter { name in
      FileNames.isData(name) || FileNames.isTemporary(name)
        || FileNames.sealedLogFirst(name) != nil || name == FileNames.replica
        || name == FileNames.replica + FileNames.temporarySuffix || name == FileNames.lock
        || name == FileNames.published
        || name == FileNames.published + FileNames.temporarySuffix
    }
    for name in own { try fileSystem.remove(path + "/" + name) }
    try fileSystem.syncDirectory(path)
    try fileSystem.remove(path + "/" + FileNames.unfinished)
    try fileSystem.syncDirectory(path)
  }

  /// The commit with which this copy of the store would begin an epoch.
  ///
  /// Nothing is written: the commit counts when the others have accepted it.
  package func epochStart() throws -> EpochProposal {
    let (identity, before) = (identity, try historyEnd)
    let start = EpochStart(
      storeID: storeID,
      epoch: identity.lineage.newEpoch(after: identity.epoch, random: options.random()),
      end: before.last,
      lineage: identity.lineage.adding(identity.epoch, through: before.last, end: before.last))
    return EpochProposal(
      frame: try start.frame(time: options.clock()), epoch: start.epoch,
      term: UInt32(start.lineage.ancestors.count), before: before)
  }

  /// How many epochs the store's history has had before its own, which each promotion, restoring
  /// and repair makes greater.
  package var term: UInt32 { UInt32(identity.lineage.ancestors.count) }

  /// The epochs before the store's own, each with its last sequence number that is in the store.
  package var earlierEpochs: [(epoch: UInt32, last: UInt64)] {
    identity.lineage.ancestors.map { ($0.epoch, $0.through) }
  }

  /// The sequence number with which the store's epoch began; 1 for the first epoch.
  package var epochFirst: UInt64 {
    state.withLock { $0.settings[Lineage.key]?.sequence ?? 1 }
  }
}
