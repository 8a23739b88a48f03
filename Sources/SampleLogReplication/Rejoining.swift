public import SampleLog

/// The result of rejoining a primary that was replaced.
public struct RejoinResult: Hashable, Sendable {
  /// The commits that the new history does not have.
  ///
  /// Nil if there are none; the directory is then a replica.
  public var unpublished: ClosedRange<UInt64>?
  /// The directory of the backup that has these commits and everything before them.
  ///
  /// If it is not nil, the store's directory is empty, and a replica can be created in it.
  public var kept: String?
}

extension Replica {
  /// Converts a primary that was replaced while it was offline to a replica.
  ///
  /// If the new history has all of its commits, the directory is marked as a replica. Otherwise the
  /// store is backed up, so that an operator can decide about the commits that only it has, and the
  /// directory is emptied. The same happens if the stream does not reach back far enough to decide.
  ///
  /// - Parameters:
  ///   - path: The directory of the store, which no process may have open.
  ///   - primary: The name of the new primary.
  ///   - transport: The stream of the store.
  ///   - kept: The directory for the backup, which does not exist or is empty.
  ///   - options: The options for opening the store.
  ///   - fileSystem: The file system of both directories.
  /// - Returns: The result, or nil if no other copy was promoted and the store is still the
  ///   primary.
  /// - Throws: The errors of opening and backing up a store, ``ReplicationError/anotherStore``, and
  ///   errors of the stream.
  public static func rejoin(
    _ path: String, as primary: String, transport: any StreamTransport, keeping kept: String,
    options: Database.Options = Database.Options(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> RejoinResult? {
    var options = options
    options.keepsSealedLogs = true
    let database = try Database(path: path, options: options, fileSystem: fileSystem)
    let end = database.end
    guard let first = try firstOfNewerEpoch(database, transport) else {
      try database.close()
      return nil
    }
    if first > end || end == 0 {
      try database.close()
      try Database.demote(path, to: primary, fileSystem: fileSystem)
      return RejoinResult()
    }
    try database.backup(to: kept)
    try database.close()
    try Database.discardFiles(in: path, fileSystem: fileSystem)
    return RejoinResult(unpublished: first...end, kept: kept)
  }

  /// Returns the first sequence number at which a store is not in the stream's history, or nil if
  /// the stream ends with an epoch of the store.
  private static func firstOfNewerEpoch(
    _ database: Database, _ transport: any StreamTransport
  ) throws -> UInt64? {
    var reader = HistoryReader(storeID: database.storeID)
    var covered: UInt64?
    var last: Writer?
    /// The end of the store's part of the last epoch that both histories have.
    var shared = UInt64.max
    var first: UInt64?
    func enter(_ writer: Writer) {
      if writer == last { return }
      last = writer
      guard database.descends(from: writer) else {
        first = first ?? writer.epochFirst
        return
      }
      first = nil
      shared = database.lastShared(with: writer) ?? .max
    }
    let end = try transport.end()
    while reader.cursor < end {
      let cursor = reader.cursor
      try reader.take(try transport.read(from: cursor + 1, limit: 64)) { message in
        covered = covered ?? message.before.last
        enter(message.writer)
      }
      if reader.cursor == cursor { break }
    }
    if let writer = reader.writer { enter(writer) }
    guard let first else { return nil }
    // A copy that was restored or repaired may have left the history before the newer epoch began.
    // Without the beginning of the stream, the store may have left it at any commit.
    let isCovered = covered.map { $0 <= database.end } ?? false
    return min(first, shared == .max ? .max : shared + 1, isCovered ? .max : database.end)
  }
}
