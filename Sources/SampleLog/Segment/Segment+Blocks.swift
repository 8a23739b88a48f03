extension Segment {
  /// Reads and decodes some columns of a block, without the columns that samples do not have.
  ///
  /// If `hasSubjects` is false, the block attributes all rows to the subject of the first, which
  /// saves the cost of the subject column in a block with many subjects.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a column fails its checksum.
  package func block(
    _ index: Int, _ columns: ColumnSet, hasSubjects: Bool = true
  ) throws -> Block {
    let wanted = available(columns, in: index)
    return try BlockReader(self, index, mask: mask(wanted, of: index))
      .decode(wanted, hasSubjects: hasSubjects)
  }

  /// Calls a function with the targets and the sequence numbers of a block of deletions.
  ///
  /// Verifies the column of times, as ``block(_:_:hasSubjects:)`` does, but does not decode it.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a column fails its checksum.
  func withDeletions(
    ofBlock index: Int,
    _ body: (UnsafeBufferPointer<UInt64>, UnsafeBufferPointer<UInt64>) -> Void
  ) throws {
    let columns: ColumnSet = [.sequence, .target]
    let reader = try BlockReader(self, index, mask: mask(columns, of: index))
    defer { withExtendedLifetime(reader.memory) {} }
    let rows = 0..<reader.rows
    DecodedValues.add(rows.count * columns.count)
    _ = try reader.doubles(.time)
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: rows.count)
    defer { scratch.deallocate() }
    let targets = UnsafeMutablePointer<UInt64>.allocate(capacity: rows.count)
    defer { targets.deallocate() }
    let sequences = UnsafeMutablePointer<UInt64>.allocate(capacity: rows.count)
    defer { sequences.deallocate() }
    try reader.decode(.target, rows, into: targets, scratch)
    try reader.decode(.sequence, rows, into: sequences, scratch)
    body(
      UnsafeBufferPointer(start: targets, count: rows.count),
      UnsafeBufferPointer(start: sequences, count: rows.count))
  }

  /// Returns the mask of the stored columns that decoding `columns` of a block requires.
  func mask(_ columns: ColumnSet, of block: Int) -> UInt32 {
    let isDerived = columns.contains(.id) && isDerived(block)
    return StoredColumn.mask(isDerived ? columns.union(.sequence) : columns)
  }

  /// Reads some columns of a block and decodes one row into a block with a single row.
  ///
  /// Much cheaper than decoding the block: the values are extracted from the encoded columns.
  package func row(_ row: Int, ofBlock index: Int, _ columns: ColumnSet) throws -> Block {
    try self.row(row, of: try encodedBlock(index), id: nil, columns)
  }

  /// Reads all columns of a block, except stored identifiers, which are most of its bytes.
  func encodedBlock(_ index: Int) throws -> EncodedBlock {
    let all = available(.all, in: index)
    let wanted = isDerived(index) ? all : all.subtracting(.id)
    return try EncodedBlock(BlockReader(self, index, mask: StoredColumn.mask(wanted)))
  }

  /// Calls a function with the cached encoded block, if there is one.
  @inline(__always)
  func withEncodedBlock<Result>(
    _ block: Int, _ body: (EncodedBlock) throws -> Result
  ) rethrows -> Result? {
    try withPointReadState { try $0.stored(block).pointee.withObject(body) }
  }

  /// Decodes one row; reads its identifier from the file if `id` is nil.
  func row(
    _ row: Int, of rows: EncodedBlock, id: Identifier?, _ columns: ColumnSet = .all
  ) throws -> Block {
    let wanted = available(columns, in: rows.block)
    precondition(row >= 0 && row < directory.rows(rows.block), "no such row")
    let id = wanted.contains(.id) ? try id ?? storedIdentifier(rows.block, row) : nil
    return try rows.decode(row, wanted, id: id)
  }

  /// Returns the stored identifier of a row, or nil if it is derived from the sequence number.
  func storedIdentifier(_ block: Int, _ row: Int) throws -> Identifier? {
    if isDerived(block) { return nil }
    return try withIdentifiers(block, row..<row + 1) { bytes, first, encoding in
      IdentifierCodec.load(bytes, row: row - first, encoding: encoding)
    }
  }

  func available(_ columns: ColumnSet, in block: Int) -> ColumnSet {
    precondition(block >= 0 && block < blockCount, "no such block")
    return !isSample(block)
      ? columns.intersection(.all) : columns.intersection(.all).subtracting(.target)
  }

  /// Returns whether the identifiers of a block are derived from its sequence numbers.
  func isDerived(_ block: Int) -> Bool {
    directory.idEncoding(block) == DerivedIdentifiers.encoding
  }

  func damaged(_ block: Int, _ column: Int, _ reason: String) -> StoreError {
    let stored = StoredColumn(rawValue: column)
    let offset = stored.map { directory.extent(block, $0).lowerBound } ?? 0
    let name = stored.map { "\($0)" } ?? "?"
    return damaged(at: offset, "\(reason) (column \(name) of block \(block))")
  }
}
