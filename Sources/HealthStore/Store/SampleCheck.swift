package import SampleLog

/// Finds the samples of a store that cannot be read, which an earlier version let in or which rot
/// has changed.
///
/// It is stricter than queries, to which text that another program wrote for metadata is none: a
/// report of everything has to say that it leaves something out.
package struct SampleCheck {
  private let reader: RowReader
  private let readsPoints: Bool
  private var check: RowCheck

  /// Looks at rows of a database, and at the points of series if asked.
  package init(_ reader: RowReader, readsPoints: Bool = false) {
    self.reader = reader
    self.readsPoints = readsPoints
    check = RowCheck(reader, admitsText: false)
  }

  /// Returns the error that names a sample that cannot be read and its file; nil for one that can.
  ///
  /// - Throws: What has nothing to do with the sample, such as a failure of the disk.
  package mutating func problem(
    of row: RowReference, in snapshot: Snapshot
  ) throws -> StoreError? {
    do {
      try check.check(row, in: snapshot)
      if readsPoints, row.block.extras[row.row] != 0 {
        try StoredObjects(reader, snapshot).forEachChunk(of: row) { _ in }
      }
      return nil
    } catch let error as StoreError {
      guard case .damaged = error else { throw error }
      // It takes a row for good that has the fields of the row before.
      check = RowCheck(reader, admitsText: false)
      return error
    }
  }
}
