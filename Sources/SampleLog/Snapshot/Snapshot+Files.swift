extension Snapshot {
  /// The name of the file that a row of this snapshot is in, for errors that name it.
  package func file(of row: Row) -> String {
    // Files cover ranges of sequence numbers that do not overlap.
    let sequence = row.sequence
    for segment in segments where sequence >= segment.header.first {
      if sequence <= segment.header.last { return segment.name }
    }
    let first = memTables.map(\.first).last { $0 <= sequence }
    return FileNames.log(first: first ?? sequence)
  }

  /// The error that a row's bytes, though their checksum is right, make no sense.
  package func damaged(_ row: Row, _ reason: String) -> StoreError {
    let name = identifier(of: row).map { "the sample \($0)" } ?? "a sample"
    let error = StoreError.damaged(
      file: file(of: row), offset: 0, reason: "\(name) has \(reason)")
    caches.events?.report(error)
    return error
  }

  /// The identifier of a row, which is looked for if the row's block was read without.
  private func identifier(of row: Row) -> Identifier? {
    if row.block.columns.contains(.id) { return row.id }
    for segment in segments where segment.header.first...segment.header.last ~= row.sequence {
      for index in segment.series(row.key, row.block.kind)?.blocks ?? 0..<0 {
        do {
          let block = try segment.block(index, [.id, .sequence])
          let place = (0..<block.count).first { block.sequence[$0] == row.sequence }
          if let place { return block.id[place] }
        } catch {
          // Damaged as well: the sample of which an error tells remains without a name.
          return nil
        }
      }
    }
    return nil
  }

  /// A row's extras.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when its bytes are none.
  package func extras(of row: Row) throws -> Extras {
    guard let extras = Extras(row.block.extras(at: row.row)) else {
      throw damaged(row, "extras that make no sense")
    }
    return extras
  }
}
