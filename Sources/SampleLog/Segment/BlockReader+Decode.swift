/// Decodes the rows of a block into columns.
extension BlockReader {
  /// Decodes all rows.
  func decode(_ set: ColumnSet, hasSubjects: Bool = true) throws -> Block {
    try decode(set, rows: 0..<rows, hasSubjects: hasSubjects)
  }

  /// Decodes a nonempty range of rows into a block that contains only these rows.
  ///
  /// The range must begin at a multiple of ``IntegerCodec/sumStep``. If `hasSubjects` is false, the
  /// block attributes all rows to the subject of the first.
  func decode(_ set: ColumnSet, rows: Range<Int>, hasSubjects: Bool = true) throws -> Block {
    defer { withExtendedLifetime(memory) {} }
    let count = rows.count
    // Derived identifiers are not decoded here, but computed when they are read.
    DecodedValues.add(
      count * (segment.isDerived(block) ? set.subtracting(.id) : set).count)
    let extrasColumn = set.contains(.extras) ? try extras() : nil
    let storage = ColumnStorage(
      capacity: count, columns: set, blobCapacity: extrasColumn?.blobCount ?? 0)
    let out = storage.pointers
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: count * 2)
    defer { scratch.deallocate() }

    if set.contains(.start) || set.contains(.end) {
      let start = try doubles(.start)
      if set.contains(.start) {
        try column(.start) { _ throws(CodecError) in
          try start.decode(rows: rows, into: out.start, scratch: scratch)
        }
      }
      if set.contains(.end) {
        let end = try doubles(.end)
        let starts = set.contains(.start) ? UnsafePointer(out.start) : nil
        try column(.end) { _ throws(CodecError) in
          try end.decodeEnds(
            rows: rows, start: start, starts: starts, into: out.end, scratch: scratch)
        }
      }
    }
    if set.contains(.value) { try decode(.value, rows, into: out.value, scratch) }
    if set.contains(.unit) { try decode(.unit, rows, into: out.unit, scratch) }
    if set.contains(.source) { try decode(.source, rows, into: out.source, scratch) }
    if set.contains(.device) { try decode(.device, rows, into: out.device, scratch) }
    if let extrasColumn {
      let kept = try column(.extras) { _ throws(CodecError) in
        try extrasColumn.decode(
          rows: rows, codes: out.extras, blobs: out.blobs, scratch: scratch)
      }
      if let kept { storage.keep(kept) }
    }
    if set.contains(.sequence) { try decode(.sequence, rows, into: out.sequence, scratch) }
    if set.contains(.target) {
      try decode(.target, rows, into: out.target, scratch)
      try decode(.time, rows, into: out.time, scratch)
    }
    if set.contains(.id) {
      let sequences = set.contains(.sequence) ? UnsafePointer(out.sequence) : nil
      try decodeIdentifiers(rows, sequences, into: storage, scratch)
    }
    return finish(storage, rows: rows, hasSubjects: hasSubjects)
  }

  private func decode(
    _ stored: StoredColumn, _ rows: Range<Int>, into out: UnsafeMutablePointer<Double>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let doubles = try doubles(stored)
    try column(stored) { _ throws(CodecError) in
      try doubles.decode(rows: rows, into: out, scratch: scratch)
    }
  }

  func decode(
    _ stored: StoredColumn, _ rows: Range<Int>, into out: UnsafeMutablePointer<UInt64>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let integers = try integers(stored)
    integers.decode(rows: rows, into: scratch)
    let first = segment.header.first
    let limit = segment.header.last &- first
    // The bits of all distances, an upper bound that takes fewer instructions than the maximum.
    var bits: UInt64 = 0
    for row in 0..<rows.count {
      let distance = UInt64(bitPattern: scratch[row])
      bits |= distance
      out[row] = first &+ distance
    }
    // Readers rely on this. The target of a deletion may lie outside the segment.
    if stored == .sequence, bits > limit,
      (0..<rows.count).contains(where: { out[$0] &- first > limit })
    {
      throw segment.damaged(block, stored.rawValue, "a sequence number outside of the segment")
    }
  }

  private func decode(
    _ stored: StoredColumn, _ rows: Range<Int>, into out: UnsafeMutablePointer<Symbol>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let integers = try integers(stored)
    let symbols = segment.localSymbols
    if let constant = integers.constant {
      out.update(repeating: try symbol(constant, stored), count: rows.count)
      return
    }
    integers.decode(rows: rows, into: scratch)
    let limit = UInt64(symbols.count)
    var greatest: UInt64 = 0
    for row in 0..<rows.count { greatest = max(greatest, UInt64(bitPattern: scratch[row])) }
    guard greatest < limit else {
      throw segment.damaged(block, stored.rawValue, "a symbol that does not exist")
    }
    symbols.withUnsafeBufferPointer { symbols in
      // In range: checked above.
      let base = symbols.baseAddress.unsafelyUnwrapped
      for row in 0..<rows.count { out[row] = base[Int(scratch[row])] }
    }
  }
}
