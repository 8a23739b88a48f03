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
    var mask = StoredColumn.mask(wanted)
    if wanted.contains(.id), isDerived(index) { mask |= StoredColumn.mask(.sequence) }
    return try BlockReader(self, index, mask: mask).decode(wanted, hasSubjects: hasSubjects)
  }

  /// Reads some columns of a block and decodes one row, as a block with a single row.
  ///
  /// Much cheaper than a whole block: numbers are picked out where they are.
  package func row(_ row: Int, ofBlock index: Int, _ columns: ColumnSet) throws -> Block {
    try self.row(row, of: try encodedBlock(index), id: nil, columns)
  }

  /// Reads all columns of a block but the identifiers, which are most of its bytes.
  func encodedBlock(_ index: Int) throws -> EncodedBlock {
    let wanted = available(.all, in: index).subtracting(.id)
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
    let id = wanted.contains(.id) ? try id ?? identifier(rows.block, row) : nil
    return try rows.decode(row, wanted, id: id)
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
