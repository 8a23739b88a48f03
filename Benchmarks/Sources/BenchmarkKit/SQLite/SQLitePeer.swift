import Foundation

/// SQLite, the store underneath HealthKit, with the schema and settings of a careful user.
final class SQLitePeer: BenchmarkPeer, SourceMerging, TailingReader {
  private let directory: String
  let lock = NSLock()
  let settings: SQLiteSettings
  let connection: SQLiteConnection
  let statements: SQLiteStatements

  init(directory: String, settings: SQLiteSettings) throws {
    self.settings = settings
    self.directory = directory
    connection = try SQLiteConnection(path: directory + "/samples.sqlite")
    try connection.execute(
      """
      PRAGMA journal_mode=WAL;
      PRAGMA synchronous=\(settings.synchronous);
      PRAGMA cache_size=-262144;
      \(settings.schema)
      """
    )
    statements = try SQLiteStatements(connection)
  }

  /// Does nothing: releasing the connection closes it and checkpoints the log.
  func close() {}

  /// Does nothing: SQLite works only inside calls.
  func quiesce() {}

  /// Opens a connection of its own, because a thread reads it concurrently with a writer.
  func tailingReader() throws -> any TailingReader {
    try SQLitePeer(directory: directory, settings: settings)
  }

  func compact() throws {
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE);"
    try connection.execute("\(checkpoint) VACUUM; \(checkpoint)")
  }
}
