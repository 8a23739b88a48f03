import Foundation

/// DuckDB, a database of columns, with the schema and settings of a careful user.
///
/// It has no unique index on identifiers, because its indexes are not made for millions of random
/// keys: it keeps an identifier that it is given twice, and reads a column to find one.
final class DuckDBPeer: BenchmarkPeer, SourceMerging, ChangeFollower {
  private let path: String
  let lock = NSLock()
  // Nil only while the file is replaced.
  private var openFiles: OpenFiles?

  /// What must be let go of before the file can be replaced.
  struct OpenFiles {
    let connection: DuckDBConnection
    let statements: DuckDBStatements
    let appender: DuckDBAppender

    init(_ database: DuckDBDatabase) throws {
      connection = try DuckDBConnection(database)
      statements = try DuckDBStatements(connection)
      appender = try DuckDBAppender(connection)
    }
  }

  init(directory: String) throws {
    path = directory + "/samples.duckdb"
    openFiles = try Self.open(path)
  }

  private init(beside peer: DuckDBPeer) throws {
    path = peer.path
    openFiles = try OpenFiles(peer.connection.database)
  }

  var connection: DuckDBConnection { files.connection }
  var statements: DuckDBStatements { files.statements }
  var appender: DuckDBAppender { files.appender }

  private var files: OpenFiles {
    guard let openFiles else { preconditionFailure("The database could not be opened again.") }
    return openFiles
  }

  /// Fewer, because each reads a column.
  var lookUpCount: Int { PeerSession.fewLookUps }

  private static func open(_ path: String) throws -> OpenFiles {
    let database = try DuckDBDatabase(path: path)
    try DuckDBConnection(database).execute(
      """
      SET threads = 2;
      SET memory_limit = '4GB';
      CREATE TABLE IF NOT EXISTS samples(sequence BIGINT NOT NULL, subject UINTEGER NOT NULL,
        type UTINYINT NOT NULL, start BIGINT NOT NULL, "end" BIGINT NOT NULL,
        value DOUBLE NOT NULL, unit UTINYINT, source UTINYINT, device UTINYINT,
        uuid UUID NOT NULL, metadata VARCHAR);
      CREATE TABLE IF NOT EXISTS deletions(sequence BIGINT NOT NULL, type UTINYINT, uuid UUID);
      """)
    return try OpenFiles(database)
  }

  /// Nothing to do: letting go of the last connection closes the file, checkpointing the log.
  func close() {}

  /// Nothing to do: DuckDB works only inside calls.
  func settle() {}

  /// A connection of its own, as a thread that reads beside a writer needs.
  func follower() throws -> any ChangeFollower { try DuckDBPeer(beside: self) }

  /// Copies what is alive to a new file, which takes the old one's name.
  func compact() throws {
    let copy = path + ".copy"
    try connection.execute(
      """
      CHECKPOINT;
      ATTACH '\(copy)' AS copy;
      COPY FROM DATABASE samples TO copy;
      DETACH copy;
      """)
    openFiles = nil
    guard rename(copy, path) == 0 else { throw DuckDBError(message: "cannot rename \(copy)") }
    openFiles = try Self.open(path)
  }
}
