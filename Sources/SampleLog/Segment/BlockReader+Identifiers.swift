extension BlockReader {
  /// Decodes the identifiers of a range of rows; uses their sequence numbers if already decoded.
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

  /// Returns the rows that may have a derived identifier: none, one sequence number, or any.
  func position(of id: Identifier) throws -> DerivedIdentifiers.Position {
    defer { withExtendedLifetime(memory) {} }
    return try derived().position(of: id)
  }

  /// Reads the header of the derived identifier column without decoding its rows.
  func derived() throws -> DerivedIdentifiers {
    let rows = rows
    let derived = try column(.id) { _ throws(CodecError) in
      try DerivedIdentifiers(columns[StoredColumn.id.rawValue], count: rows)
    }
    // With the streams known, a writer that rewrites the rows can encode them as compactly.
    for stream in derived.streams { segment.symbols.streams.add(stream) }
    return derived
  }
}
