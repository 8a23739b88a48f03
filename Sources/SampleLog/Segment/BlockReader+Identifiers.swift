extension BlockReader {
  /// Decodes the identifiers of all rows, whose sequence numbers may be known already.
  func decodeIdentifiers(
    _ sequences: UnsafePointer<UInt64>?, into out: UnsafeMutablePointer<Identifier>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let rows = rows
    guard segment.isDerived(block) else {
      return try column(.id) { _ throws(CodecError) in
        try IdentifierCodec.decode(columns[StoredColumn.id.rawValue], count: rows, into: out)
      }
    }
    let derived = try derived()
    func decode(_ sequences: UnsafePointer<UInt64>) throws {
      try column(.id) { _ throws(CodecError) in try derived.decode(sequences, into: out) }
    }
    if let sequences { return try decode(sequences) }
    let own = UnsafeMutablePointer<UInt64>.allocate(capacity: rows)
    defer { own.deallocate() }
    try self.decode(.sequence, 0..<rows, into: own, scratch)
    try decode(own)
  }

  /// Says where an identifier may be that follows from a sequence number.
  func position(of id: Identifier) throws -> DerivedIdentifiers.Position {
    defer { withExtendedLifetime(memory) {} }
    return try derived().position(of: id)
  }

  /// Returns the identifier of a row that follows from its sequence number.
  func derivedIdentifier(_ row: Int) throws -> Identifier {
    defer { withExtendedLifetime(memory) {} }
    let derived = try derived()
    let distance = try integers(.sequence, forOneRow: true).decode(row: row)
    let sequence = segment.header.first &+ UInt64(bitPattern: distance)
    return try column(.id) { _ throws(CodecError) in
      try derived.identifier(row, sequence: sequence)
    }
  }

  private func derived() throws -> DerivedIdentifiers {
    let rows = rows
    let derived = try column(.id) { _ throws(CodecError) in
      try DerivedIdentifiers(columns[StoredColumn.id.rawValue], count: rows)
    }
    // Whoever rewrites the rows can keep them as short as they are.
    for stream in derived.streams { segment.symbols.streams.add(stream) }
    return derived
  }
}
