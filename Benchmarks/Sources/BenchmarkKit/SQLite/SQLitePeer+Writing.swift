import Foundation

extension SQLitePeer {
  func ingest(_ samples: ArraySlice<StreamSample>) throws {
    // SQLite has one writer at a time, and waiting for this lock is the cheapest way.
    try lock.withLock {
      try transaction {
        for sample in samples { try insert(sample) }
      }
    }
  }

  func beginBulk() throws {
    try connection.execute("PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=20000;")
  }

  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws {
    try ingest(samples)
  }

  func endBulk() throws {
    try connection.execute(
      """
      PRAGMA synchronous=FULL;
      PRAGMA wal_checkpoint(TRUNCATE);
      PRAGMA wal_autocheckpoint=1000;
      PRAGMA synchronous=\(settings.synchronous);
      """
    )
  }

  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws {
    try transaction {
      var sequence = Int64(firstSequence)
      for identifier in identifiers {
        statements.recordDeletion.bind(identifier, at: 1)
        statements.recordDeletion.bind(sequence, at: 2)
        try statements.recordDeletion.run()
        statements.delete.bind(identifier, at: 1)
        try statements.delete.run()
        sequence += 1
      }
    }
  }

  private func transaction(_ body: () throws -> Void) throws {
    try statements.beginWrite.run()
    do {
      try body()
    } catch {
      try? statements.rollback.run()
      throw error
    }
    try statements.commit.run()
  }

  @inline(__always)
  private func insert(_ sample: StreamSample) throws {
    let insert = statements.insert
    insert.bind(Int64(sample.sequence), at: 1)
    insert.bind(Int64(sample.type), at: 2)
    insert.bind(sample.start, at: 3)
    insert.bind(sample.end, at: 4)
    insert.bind(sample.value, at: 5)
    insert.bind(Int64(sample.unit), at: 6)
    insert.bind(Int64(sample.source), at: 7)
    insert.bind(Int64(sample.device), at: 8)
    insert.bind(sample.identifier, at: 9)
    insert.bind(StreamMetadata.text(type: sample.type, metadata: sample.metadata), at: 10)
    insert.bind(Int64(sample.subject), at: 11)
    try insert.run()
  }
}
