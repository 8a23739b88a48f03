import SampleLog

/// Reads a series in order of start, a page at a time, so that memory does not grow with it.
struct PagedRows {
  private let snapshot: Snapshot
  private let key: SeriesKey
  private let filter: RowFilter
  private let pageSize: Int
  private var last: (start: Double, sequence: UInt64)?
  private var isDone = false

  init(_ snapshot: Snapshot, _ key: SeriesKey, _ filter: RowFilter, pageSize: Int = 8192) {
    self.snapshot = snapshot
    self.key = key
    self.filter = filter
    self.pageSize = pageSize
  }

  /// The next rows; empty at the end.
  mutating func next(atMost limit: Int = .max) throws -> RowSelection {
    let size = min(pageSize, limit)
    guard !isDone, size > 0 else { return RowSelection() }
    var filter = filter
    if let last {
      filter.start = filter.start.intersection(.from(last.start))
      filter.condition = { block, row in
        block.start[row] > last.start || block.sequence[row] > last.sequence
      }
    }
    let rows = try snapshot.select(
      [key], where: filter, order: .start(ascending: true), limit: size)
    isDone = rows.count < size
    if let row = rows.last { last = (row.start, row.sequence) }
    return rows
  }
}
