extension Segment {
  /// Reads and decodes some columns of a block; columns a sample does not have are left out.
  ///
  /// Without subjects, which take a part of the time where there are many, the block says that all
  /// rows are those of the first's.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when a column fails its checksum.
  package func block(
    _ index: Int, _ columns: ColumnSet, hasSubjects: Bool = true
  ) throws -> Block {
    let wanted = available(columns, in: index)
    return try BlockReader(self, index, mask: mask(wanted, of: index))
      .decode(wanted, hasSubjects: hasSubjects)
  }

  /// Returns the bits of the stored columns that decoding some columns of a block needs.
  func mask(_ columns: ColumnSet, of block: Int) -> UInt32 {
    let isDerived = columns.contains(.id) && isDerived(block)
    return StoredColumn.mask(isDerived ? columns.union(.sequence) : columns)
  }

  /// Reads some columns of a block and decodes one row, as a block with a single row.
  ///
  /// Much cheaper than a whole block: numbers are picked out where they are.
  package func row(_ row: Int, ofBlock index: Int, _ columns: ColumnSet) throws -> Block {
    try self.row(row, of: try encodedBlock(index), id: nil, columns)
  }

  /// Reads all columns of a block but identifiers that are most of its bytes.
  func encodedBlock(_ index: Int) throws -> EncodedBlock {
    let all = available(.all, in: index)
    let wanted = isDerived(index) ? all : all.subtracting(.id)
    return try EncodedBlock(BlockReader(self, index, mask: StoredColumn.mask(wanted)))
  }

  /// Calls a function with a block's columns as they are stored, if they are at hand.
  @inline(__always)
  func withEncodedBlock<Result>(
    _ block: Int, _ body: (EncodedBlock) throws -> Result
  ) rethrows -> Result? {
    try withPointReadState { try $0.stored(block).pointee.withObject(body) }
  }

  /// Decodes one row; its identifier is read unless the caller knows it.
  func row(
    _ row: Int, of rows: EncodedBlock, id: Identifier?, _ columns: ColumnSet = .all
  ) throws -> Block {
    let wanted = available(columns, in: rows.block)
    precondition(row >= 0 && row < directory.rows(rows.block), "no such row")
    let id = wanted.contains(.id) ? try id ?? storedIdentifier(rows.block, row) : nil
    return try rows.decode(row, wanted, id: id)
  }

  /// Returns the identifier of a row; nil if it follows from the row's sequence number.
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

  /// Whether the identifiers of a block follow from its sequence numbers.
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
