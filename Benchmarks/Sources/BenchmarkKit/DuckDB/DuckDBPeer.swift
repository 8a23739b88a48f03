import Foundation

/// DuckDB, a column store, with the schema and settings of a careful user.
///
/// It has no unique index on identifiers, because its indexes are not made for millions of random
/// keys. It therefore keeps duplicate identifiers, and scans a column to find one.
final class DuckDBPeer: BenchmarkPeer, SourceMerging, TailingReader {
  private let path: String
  let lock = NSLock()
  // Nil only while the file is replaced.
  private var openFiles: OpenFiles?

  /// The objects that must be released before the file can be replaced.
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

  private init(sharing peer: DuckDBPeer) throws {
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

  /// Fewer than for other peers, because each look-up reads a column.
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

  /// Does nothing: releasing the last connection closes the file and checkpoints the log.
  func close() {}

  /// Does nothing: DuckDB works only inside calls.
  func quiesce() {}

  /// Opens a connection of its own, because a thread reads it concurrently with a writer.
  func tailingReader() throws -> any TailingReader { try DuckDBPeer(sharing: self) }

  /// Copies the live rows to a new file, which then replaces the old one.
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
