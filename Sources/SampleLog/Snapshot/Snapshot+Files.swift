extension Snapshot {
  /// Returns the name of the file that holds a row of this snapshot, for use in errors.
  package func file(of row: Row) -> String {
    // Files cover disjoint ranges of sequence numbers.
    let sequence = row.sequence
    for segment in segments where sequence >= segment.header.first {
      if sequence <= segment.header.last { return segment.name }
    }
    let first = memTables.map(\.first).last { $0 <= sequence }
    return FileNames.log(first: first ?? sequence)
  }

  /// Returns the error for a row whose bytes have a valid checksum but invalid contents.
  package func damaged(_ row: Row, _ reason: String) -> StoreError {
    let name = identifier(of: row).map { "the sample \($0)" } ?? "a sample"
    let error = StoreError.damaged(
      file: file(of: row), offset: 0, reason: "\(name) has \(reason)")
    caches.events?.report(error)
    return error
  }

  /// Returns the identifier of a row, reading it from the segment if the block lacks that column.
  private func identifier(of row: Row) -> Identifier? {
    if row.block.columns.contains(.id) { return row.id }
    for segment in segments where segment.header.first...segment.header.last ~= row.sequence {
      for index in segment.series(row.key, row.block.kind)?.blocks ?? 0..<0 {
        do {
          let block = try segment.block(index, [.id, .sequence])
          let place = (0..<block.count).first { block.sequence[$0] == row.sequence }
          if let place { return block.id[place] }
        } catch {
          // The identifiers are damaged as well, so the error cannot name the sample.
          return nil
        }
      }
    }
    return nil
  }

  /// Returns a row's extras.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if they cannot be decoded.
  package func extras(of row: Row) throws -> Extras {
    guard let extras = Extras(row.block.extras(at: row.row)) else {
      throw damaged(row, "extras that make no sense")
    }
    return extras
  }
}
