package import SampleLog

/// Finds stored samples that cannot be read, either because an earlier version accepted them or
/// because the file is damaged.
///
/// This check is stricter than queries, which treat plain text in place of metadata as no
/// metadata: a complete report must name everything that it omits.
package struct SampleCheck {
  private let reader: RowReader
  private let readsPoints: Bool
  private var check: RowCheck

  /// Creates a check for rows of a database, optionally including the points of series.
  package init(_ reader: RowReader, readsPoints: Bool = false) {
    self.reader = reader
    self.readsPoints = readsPoints
    check = RowCheck(reader, admitsText: false)
  }

  /// Returns the error that names an unreadable sample and its file, or nil if the sample can be
  /// read.
  ///
  /// - Throws: Errors unrelated to the sample, such as an I/O error.
  package mutating func problem(
    of row: Row, in snapshot: Snapshot
  ) throws -> StoreError? {
    do {
      try check.check(row, in: snapshot)
      if readsPoints, row.block.extras[row.row] != 0, !row.hasOnlyMetadata {
        var series = try reader.series(of: row, in: snapshot)
        while try series?.next() != nil {}
      }
      return nil
    } catch let error as StoreError {
      guard case .damaged = error else { throw error }
      // The check treats a row with the same fields as the previous row as valid, so start over.
      check = RowCheck(reader, admitsText: false)
      return error
    }
  }
}
