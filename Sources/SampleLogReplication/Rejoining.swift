public import SampleLog

/// What became of a primary that was replaced and has come back.
public struct RejoinResult: Hashable, Sendable {
  /// The commits that the new history does not have; nil when there are none, and the directory is
  /// a replica now.
  public var unpublished: ClosedRange<UInt64>?
  /// The backup that keeps them, with everything before; the store's directory is empty, and a
  /// replica is to be made in it.
  public var kept: String?
}

extension Replica {
  /// Makes a replica of a primary that was replaced while it was away.
  ///
  /// If the history that goes on has all of its commits, the directory is marked as a replica's.
  /// Otherwise a backup keeps the store as it is, for whoever decides what becomes of the commits
  /// that only it has, and the directory is emptied. The same holds where the stream does not reach
  /// back far enough to tell.
  ///
  /// - Parameters:
  ///   - path: The directory of the store, which nobody has open.
  ///   - primary: The name of the new primary.
  ///   - transport: The store's stream.
  ///   - kept: A directory that does not exist or is empty, for the backup.
  ///   - options: How the store is opened.
  ///   - fileSystem: Where both directories are.
  /// - Returns: What was found; nil when nobody was promoted, and the store is still the primary.
  /// - Throws: What opening and backing up a store throw, ``ReplicationError/anotherStore``, and
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

  /// The number with which the first epoch began that is newer than a store's; nil without one.
  private static func firstOfNewerEpoch(
    _ database: Database, _ transport: any StreamTransport
  ) throws -> UInt64? {
    var reader = HistoryReader(storeID: database.storeID)
    var covered: UInt64?
    var first: UInt64?
    let end = try transport.end()
    while reader.cursor < end, first == nil {
      let cursor = reader.cursor
      try reader.take(try transport.read(from: cursor + 1, limit: 64)) { message in
        covered = covered ?? message.before.last
        if first == nil, message.writer.isNewer(than: database) {
          first = message.writer.epochFirst
        }
      }
      if reader.cursor == cursor { break }
    }
    if first == nil, let writer = reader.writer, writer.isNewer(than: database) {
      first = writer.epochFirst
    }
    // Another epoch may have begun in what the stream has not got any more.
    return covered.map { $0 > database.end } ?? true ? first.map { min($0, database.end) } : first
  }
}

extension Writer {
  fileprivate func isNewer(than database: Database) -> Bool {
    epoch != database.epoch && term >= database.term
  }
}
