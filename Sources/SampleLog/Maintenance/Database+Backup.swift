/// What a backup holds.
public struct BackupResult: Hashable, Sendable {
  /// The newest sequence number in it: everything up to here is in it, and nothing after.
  public var end: UInt64
  /// Files of data.
  public var fileCount: Int
  /// Bytes of those files.
  public var byteCount: Int
  /// How many of the files are second names of the store's own.
  public var linkedCount: Int
}

extension Database {
  /// Makes a backup of the store as it is now, while others read, write, seal and compact.
  ///
  /// A backup is a directory with the files of one committed prefix. It can be opened read-only and
  /// restored with ``restore(from:to:linksFiles:options:fileSystem:)``. All of it is on stable
  /// storage when this returns; a crash before leaves a directory that no one opens. Directories
  /// are made with mode 0700 and files with 0600.
  ///
  /// Commits wait while what was committed is made durable, not while files are copied. A handle
  /// that was opened for reading backs up what it saw when it was opened, after making that
  /// durable.
  ///
  /// - Parameters:
  ///   - destination: A directory that does not exist or is empty.
  ///   - linksFiles: Whether immutable files get a second name there instead of being copied, where
  ///     the file system can. That costs no time and no space, and protects from everything but the
  ///     decay of the disk itself.
  /// - Returns: What it holds.
  /// - Throws: ``StoreError/notEmpty(path:)``, ``StoreError/closed``,
  ///   ``StoreError/damaged(file:offset:reason:)`` for a store that is, or an error of the
  ///   operating
  ///   system, after which the destination holds no file that was made.
  /// - Complexity: Linear in the bytes that are copied, which the logs always are.
  @discardableResult
  public func backup(to destination: String, linksFiles: Bool = true) throws -> BackupResult {
    let contents = try mode == .readWrite ? durableContents() : openedContents()
    if let damage = contents.damages.first {
      throw StoreError(damage)
    }
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
      // Opened as anybody would, before it counts.
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

  /// The files of one committed prefix, open, so that it does not matter what becomes of names.
  private struct Contents {
    var end: UInt64
    var segments: [Segment]
    var logs: [LogExtent]
    var damages: [Damage]
  }

  private func contents(endOfNewest: LogEnd? = nil) throws -> Contents {
    try state.withLock { state in
      if state.isClosed { throw StoreError.closed }
      var contents = Contents(
        end: state.snapshot.end, segments: state.segments, logs: state.logs,
        damages: state.damages)
      // Under the lock, because the thread sanitizer does not see that an array is copied before
      // another thread changes it in place.
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
    // What was read may not be durable yet, and would then not outlive the power that the backup
    // does.
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

  /// Reads a directory that is being made as opening would.
  static func check(_ directory: StagingDirectory, end: UInt64) throws {
    var recovery = Recovery(
      path: directory.path, mode: .readOnly, options: Database.Options(),
      fileSystem: directory.fileSystem,
      symbols: SymbolTable())
    let found = try recovery.run().end
    guard found == end else {
      throw StoreError.damaged(
        file: directory.path, offset: 0,
        reason: "the copy ends at sequence number \(found) and not at \(end)")
    }
  }
}
