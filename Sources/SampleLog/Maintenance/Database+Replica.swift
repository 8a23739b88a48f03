/// The proposed commit with which a copy of a store would begin its own epoch.
package struct EpochProposal: Sendable {
  /// The frame with the record of the earlier epochs.
  package let frame: StoredFrame
  /// The new epoch.
  package let epoch: UInt32
  /// The ``Database/term`` that the store would have.
  package let term: UInt32
  /// The history position that the commit follows.
  package let before: HistoryPosition
}

extension Database {
  /// Creates a replica from a backup, with the backup's history and epoch.
  ///
  /// - Parameters:
  ///   - backup: The backup's directory, which is not modified.
  ///   - destination: A directory that does not exist or is empty.
  ///   - primary: The name of the primary, reported in errors to clients that try to save.
  ///   - linksFiles: Whether to hard-link immutable files instead of copying them, if the file
  ///     system supports it.
  ///   - options: The options for reading the files.
  ///   - fileSystem: The file system of both directories.
  /// - Throws: The errors of ``restore(from:to:linksFiles:options:fileSystem:)``.
  package static func makeReplica(
    from backup: String, at destination: String, of primary: String, linksFiles: Bool = true,
    options: Database.Options = Database.Options(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try DirectoryMarker.check(backup, .readOnly, fileSystem)
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

  /// Creates an empty replica of a store whose history is available from the beginning.
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

  static func makeReplica(
    at destination: String, of primary: String, _ fileSystem: any FileSystem,
    _ body: (inout StagingDirectory) throws -> Void
  ) throws {
    var directory = try StagingDirectory(destination, fileSystem)
    do {
      try body(&directory)
      try DirectoryMarker.markReplica(destination, of: primary, fileSystem)
      try directory.finish(asBackup: false)
    } catch {
      directory.discard()
      // If that fails, the file remains; the directory is rejected as unfinished.
      try? fileSystem.remove(destination + "/" + FileNames.replica)
      throw error
    }
  }

  /// Turns a closed store into a replica, in place.
  package static func demote(
    _ path: String, to primary: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try DirectoryMarker.markReplica(path, of: primary, fileSystem)
    if try fileSystem.list(path)?.contains(FileNames.published) == true {
      try fileSystem.remove(path + "/" + FileNames.published)
    }
  }

  /// Turns a closed replica into a writable store.
  ///
  /// The caller may promote only the copy whose epoch the other copies follow; any other would
  /// diverge. The store is marked as published, because the stream contains the record of its
  /// epoch.
  package static func promote(
    _ path: String, fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    try PublicationMarker().write(to: path, fileSystem)
    try fileSystem.remove(path + "/" + FileNames.replica)
    try fileSystem.syncDirectory(path)
  }

  /// Removes a closed store's files, so that a replica can be created in their place.
  ///
  /// A crash leaves a directory that cannot be opened; calling this function again empties it. The
  /// lock file remains, because a caller may hold the lock.
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
        || name == FileNames.replica + FileNames.temporarySuffix || name == FileNames.published
        || name == FileNames.published + FileNames.temporarySuffix
    }
    for name in own { try fileSystem.remove(path + "/" + name) }
    try fileSystem.syncDirectory(path)
    try fileSystem.remove(path + "/" + FileNames.unfinished)
    try fileSystem.syncDirectory(path)
  }

  /// Returns the commit with which this copy of the store would begin an epoch.
  ///
  /// Writes nothing: the commit takes effect once the other copies have accepted it.
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

  /// The number of epochs in the store's history before its own; promotion, restoring and repair
  /// increase it.
  package var term: UInt32 { UInt32(identity.lineage.ancestors.count) }

  /// The epochs before the store's own, each with the last of its sequence numbers in the store.
  package var earlierEpochs: [(epoch: UInt32, last: UInt64)] {
    identity.lineage.ancestors.map { ($0.epoch, $0.through) }
  }

  /// The sequence number with which the store's epoch began, or 1 for the first epoch.
  package var epochFirst: UInt64 {
    state.withLock { $0.settings[Lineage.key]?.sequence ?? 1 }
  }
}
