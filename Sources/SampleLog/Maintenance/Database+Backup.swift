/// The contents of a backup.
public struct BackupResult: Hashable, Sendable {
  /// The newest sequence number in the backup, which contains all records through it and none
  /// after.
  public var end: UInt64
  /// The number of data files.
  public var fileCount: Int
  /// The total length of these files, in bytes.
  public var byteCount: Int
  /// The number of these files that are hard links to the store's own.
  public var linkedCount: Int
}

extension Database {
  /// Creates a backup of the current state of the store, concurrently with readers and writers.
  ///
  /// A backup is a directory with the files of one committed prefix. It can be opened read-only and
  /// restored with ``restore(from:to:linksFiles:options:fileSystem:)``. It is on stable storage
  /// when this method returns; a crash before that leaves a directory that cannot be opened.
  /// Directories have mode 0700 and files mode 0600. Sealing and compaction continue during the
  /// backup.
  ///
  /// Commits wait while earlier commits are synced, but not while files are copied. A read-only
  /// handle backs up the state that it saw when it was opened, after syncing it.
  ///
  /// - Parameters:
  ///   - destination: A directory that does not exist or is empty.
  ///   - linksFiles: Whether to hard-link immutable files instead of copying them, if the file
  ///     system supports it. Links take no time and no space, and protect against everything except
  ///     failure of the disk itself.
  /// - Returns: The contents of the backup.
  /// - Throws: ``StoreError/notEmpty(path:)``, ``StoreError/closed``,
  ///   ``StoreError/damaged(file:offset:reason:)`` if the store is damaged, or an error of the
  ///   operating system. On failure the destination contains none of the created files.
  /// - Complexity: Linear in the number of bytes copied; logs are always copied.
  @discardableResult
  public func backup(to destination: String, linksFiles: Bool = true) throws -> BackupResult {
    let contents = try intactContents()
    let record = BackupRecord(
      storeID: storeID, epoch: epoch, end: contents.end, time: options.clock())
    var directory = try StagingDirectory(destination, fileSystem, record: record)
    do {
      for segment in contents.segments {
        try directory.add(segment, of: path, linking: linksFiles)
      }
      for log in contents.logs {
        try directory.add(log.name, copying: log.file, length: Int(log.end.length))
      }
      try directory.markPublished(as: path)
      // The backup must open like any store before it becomes valid.
      try Self.check(directory, end: contents.end)
      try directory.finish(asBackup: true)
    } catch {
      directory.discard()
      throw error
    }
    return BackupResult(
      end: contents.end, fileCount: directory.fileCount, byteCount: directory.byteCount,
      linkedCount: directory.linkedCount)
  }

  /// The open files of one committed prefix, which remain readable after they are renamed or
  /// removed.
  struct Contents {
    var end: UInt64
    var segments: [Segment]
    var logs: [LogExtent]
    var damages: [Damage]
  }

  /// Returns the files of the present state, which are durable.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, ``StoreError/closed``, or an error of
  ///   the operating system.
  func intactContents() throws -> Contents {
    let contents = try mode == .readWrite ? durableContents() : openedContents()
    if let damage = contents.damages.first {
      throw StoreError(damage)
    }
    return contents
  }

  private func contents(endOfNewest: LogEnd? = nil) throws -> Contents {
    try state.withLock { state in
      if state.isClosed { throw StoreError.closed }
      var contents = Contents(
        end: state.snapshot.end, segments: state.segments, logs: state.logs,
        damages: state.damages)
      // Under the lock, because ThreadSanitizer does not recognise that the array is copied before
      // another thread modifies it in place.
      if let endOfNewest { contents.logs[contents.logs.count - 1].end = endOfNewest }
      return contents
    }
  }

  private func durableContents() throws -> Contents {
    try committer.exclusively {
      try checkInPlace()
      guard let writer = committer.writer else { throw StoreError.closed }
      try writer.sync()
      return try contents(endOfNewest: writer.end)
    }
  }

  private func openedContents() throws -> Contents {
    let contents = try contents()
    // Data that was read may not be durable yet; without a sync, a power failure could leave the
    // backup ahead of the store.
    for log in contents.logs { try log.file.sync() }
    guard let newest = contents.logs.last else { return contents }
    for name in try fileSystem.list(path) ?? [] {
      guard let first = FileNames.logFirst(name), first > newest.end.first,
        let file = try? fileSystem.open(path + "/" + name, .read),
        let successor = try? LogReader(file: file, name: name).header.predecessor
      else { continue }
      if successor.first == newest.end.first, successor.length < newest.end.length {
        throw StoreError.damaged(
          file: newest.name, offset: Int(successor.length),
          reason: "a write failed here after the store was opened; open it again")
      }
    }
    return contents
  }

  /// Recovers a staging directory as opening it would.
  @discardableResult
  static func check(_ directory: StagingDirectory, end: UInt64) throws -> Recovered {
    var recovery = Recovery(
      path: directory.path, mode: .readOnly, options: Database.Options(),
      fileSystem: directory.fileSystem,
      symbols: SymbolTable())
    let found = try recovery.run()
    guard found.end == end else {
      throw StoreError.damaged(
        file: directory.path, offset: 0,
        reason: "the copy ends at sequence number \(found.end) and not at \(end)")
    }
    return found
  }
}
