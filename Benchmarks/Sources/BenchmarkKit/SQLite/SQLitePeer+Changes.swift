extension SQLitePeer {
  /// Merges two tables by sequence number, inside one read transaction.
  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64 {
    let added = type == nil ? statements.added : statements.addedOfType
    let deleted = type == nil ? statements.deleted : statements.deletedOfType
    for statement in [added, deleted] {
      statement.bind(Int64(sequence), at: 1)
      if let type { statement.bind(Int64(type.rawValue), at: 2) }
    }
    try statements.begin.run()
    defer {
      added.reset()
      deleted.reset()
      // Ending a read transaction cannot lose data.
      try? statements.commit.run()
    }
    var hasAdded = try added.step()
    var hasDeleted = try deleted.step()
    var last = sequence
    var count = 0
    var row = BenchmarkRow()
    while count < limit, hasAdded || hasDeleted {
      count += 1
      // Reading ahead at the end of a batch would be wasted work.
      let isFull = count == limit
      if hasAdded, !hasDeleted || added.integer(0) < deleted.integer(0) {
        row.read(added)
        digest.add(row)
        last = row.sequence
        if !isFull { hasAdded = try added.step() }
      } else {
        last = UInt64(bitPattern: deleted.integer(0))
        digest.add(deletionOf: deleted.identifier(1) ?? StreamIdentifier(), sequence: last)
        if !isFull { hasDeleted = try deleted.step() }
      }
    }
    return last
  }
}
