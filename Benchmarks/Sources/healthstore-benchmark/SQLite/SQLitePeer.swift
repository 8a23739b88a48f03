/// SQLite, the store underneath HealthKit, with the schema and settings of a careful user.
final class SQLitePeer: BenchmarkPeer {
  let settings: SQLiteSettings
  let connection: SQLiteConnection
  let statements: SQLiteStatements

  init(directory: String, settings: SQLiteSettings) throws {
    self.settings = settings
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

  /// Nothing to do: letting go of the connection closes it, checkpointing the log.
  func close() {}

  /// Nothing to do: SQLite works only inside calls.
  func settle() {}

  func compact() throws {
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE);"
    try connection.execute("\(checkpoint) VACUUM; \(checkpoint)")
  }
}
