extension Snapshot {
  /// The name of the file that a row of this snapshot is in, for errors that name it.
  package func file(of row: RowReference) -> String {
    // Files cover ranges of sequence numbers that do not overlap.
    let sequence = row.sequence
    for segment in segments where sequence >= segment.header.first {
      if sequence <= segment.header.last { return segment.name }
    }
    let first = memTables.map(\.first).last { $0 <= sequence }
    return FileNames.log(first: first ?? sequence)
  }

  /// The error that a row's bytes, though their checksum is right, make no sense.
  package func damaged(_ row: RowReference, _ reason: String) -> StoreError {
    let error = StoreError.damaged(
      file: file(of: row), offset: 0, reason: "the sample \(row.id) has \(reason)")
    caches.events?.report(error)
    return error
  }

  /// A row's extras.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when its bytes are none.
  package func extras(of row: RowReference) throws -> Extras {
    guard let extras = Extras(row.block.extras(at: row.row)) else {
      throw damaged(row, "extras that make no sense")
    }
    return extras
  }
}
