/// The configurations of SQLite, all with a write-ahead log.
enum SQLiteSettings: String, CaseIterable {
  /// A commit is durable when it returns. Durable figures are compared with this one.
  case durable = "sqlite"
  /// A commit survives a crash of the process but not a power failure.
  case relaxed = "sqlite-normal"
  /// Rows stored in order of type and start: an expert's schema for range queries.
  case clustered = "sqlite-clustered"

  var synchronous: String {
    self == .relaxed ? "NORMAL" : "FULL"
  }

  var schema: String {
    let fields = """
      end INTEGER NOT NULL, value REAL NOT NULL, unit INTEGER, source INTEGER, device INTEGER, \
      uuid BLOB NOT NULL, metadata TEXT
      """
    let samples =
      if self == .clustered {
        """
        CREATE TABLE IF NOT EXISTS samples(subject INTEGER NOT NULL, type INTEGER NOT NULL,
          start INTEGER NOT NULL, sequence INTEGER NOT NULL, \(fields),
          PRIMARY KEY(subject, type, start, sequence)) WITHOUT ROWID;
        CREATE UNIQUE INDEX IF NOT EXISTS by_sequence ON samples(sequence);
        """
      } else {
        """
        CREATE TABLE IF NOT EXISTS samples(sequence INTEGER PRIMARY KEY AUTOINCREMENT,
          subject INTEGER NOT NULL, type INTEGER NOT NULL, start INTEGER NOT NULL, \(fields));
        CREATE INDEX IF NOT EXISTS by_start ON samples(subject, type, start);
        """
      }
    return """
      \(samples)
      CREATE UNIQUE INDEX IF NOT EXISTS by_uuid ON samples(uuid);
      CREATE TABLE IF NOT EXISTS deletions(sequence INTEGER PRIMARY KEY, type INTEGER, uuid BLOB);
      """
  }
}
