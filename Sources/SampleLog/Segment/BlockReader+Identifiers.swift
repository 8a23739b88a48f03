extension BlockReader {
  /// Decodes the identifiers of some rows, whose sequence numbers may be known already.
  func decodeIdentifiers(
    _ rows: Range<Int>, _ sequences: UnsafePointer<UInt64>?, into storage: ColumnStorage,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let out = storage.pointers.id
    guard segment.isDerived(block) else {
      let bytes = columns[StoredColumn.id.rawValue]
      if rows.count == self.rows, !bytes.isEmpty {
        return try column(.id) { _ throws(CodecError) in
          try IdentifierCodec.decode(bytes, count: rows.count, into: out)
        }
      }
      return try segment.withIdentifiers(block, rows) { bytes, first, encoding in
        for row in rows {
          out[row - rows.lowerBound] = IdentifierCodec.load(
            bytes, row: row - first, encoding: encoding)
        }
      }
    }
    let derived = try derived()
    func decode(_ sequences: UnsafePointer<UInt64>) throws {
      try column(.id) { _ throws(CodecError) in
        try derived.decode(rows: rows, sequences, into: out, scratch: scratch)
      }
      storage.setStreams(derived.shared)
    }
    if let sequences { return try decode(sequences) }
    let own = UnsafeMutablePointer<UInt64>.allocate(capacity: rows.count)
    defer { own.deallocate() }
    try self.decode(.sequence, rows, into: own, scratch)
    try decode(own)
  }

  /// Says where an identifier may be that follows from a sequence number.
  func position(of id: Identifier) throws -> DerivedIdentifiers.Position {
    defer { withExtendedLifetime(memory) {} }
    return try derived().position(of: id)
  }

  /// Reads the column of identifiers that follow from sequence numbers, but not its rows.
  func derived() throws -> DerivedIdentifiers {
    let rows = rows
    let derived = try column(.id) { _ throws(CodecError) in
      try DerivedIdentifiers(columns[StoredColumn.id.rawValue], count: rows)
    }
    // A writer that rewrites the rows can keep them as short as they are.
    for stream in derived.streams { segment.symbols.streams.add(stream) }
    return derived
  }
}
