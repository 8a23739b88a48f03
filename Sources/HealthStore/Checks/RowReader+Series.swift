import SampleLog

extension RowReader {
  /// Opens the points of a row, or returns nil if rows of its type have none.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row's payload is invalid.
  func series(of row: Row, in snapshot: Snapshot) throws -> SeriesReader? {
    let payload = type(of: row).map(SampleKind.init)?.payload as? any SeriesPayload.Type
    return try payload.map { try SeriesReader(row, $0, snapshot) }
  }
}
