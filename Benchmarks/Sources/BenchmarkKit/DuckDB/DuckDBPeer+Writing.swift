import Foundation

extension DuckDBPeer {
  func ingest(_ samples: ArraySlice<StreamSample>) throws {
    // Only one thread at a time may use the connection.
    try lock.withLock {
      try transaction { try appender.append(samples) }
    }
  }

  func beginBulk() throws {
    try connection.execute("SET fsync_mode = 'NONE'; SET wal_autocheckpoint = '1GB';")
  }

  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws { try ingest(samples) }

  func endBulk() throws {
    // A checkpoint syncs the file only if there were changes since the previous one.
    try connection.execute(
      """
      RESET fsync_mode;
      CREATE TABLE written(something INTEGER);
      DROP TABLE written;
      CHECKPOINT;
      RESET wal_autocheckpoint;
      """)
  }

  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws {
    let doomed = identifiers.enumerated().map { number, identifier in
      "('\(identifier.uuid)'::UUID, \(firstSequence + UInt64(number)))"
    }
    try transaction {
      try connection.execute(
        """
        CREATE OR REPLACE TEMP TABLE doomed(uuid UUID, sequence BIGINT);
        INSERT INTO doomed VALUES \(doomed.joined(separator: ", "));
        INSERT INTO deletions SELECT doomed.sequence, type, uuid
          FROM samples JOIN doomed USING (uuid) ORDER BY 1;
        DELETE FROM samples WHERE uuid IN (SELECT uuid FROM doomed);
        """)
    }
  }

  private func transaction(_ body: () throws -> Void) throws {
    try connection.execute("BEGIN")
    do {
      try body()
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    try connection.execute("COMMIT")
  }
}

extension StreamIdentifier {
  fileprivate var uuid: UUID {
    let bytes = (high.bigEndian, low.bigEndian)
    return UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self))
  }
}
