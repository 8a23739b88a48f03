import SampleLog

/// The rows of series in descending order of start date, in pages.
struct NewestFirst {
  private let snapshot: Snapshot
  private let series: [SeriesKey]
  private var filter: RowFilter
  private let columns: ColumnSet
  /// The number of new rows in the next page.
  ///
  /// Grows, so that a query with a `LIMIT` reads few rows and one without reads few pages.
  private var pageCount = 64
  /// The number of rows at the start date where the next page begins that were already returned.
  private var skipCount = 0
  private var isAtEnd = false

  private static let pageLimit = 1 << 16

  init(
    _ snapshot: Snapshot, _ series: [SeriesKey], _ filter: RowFilter, _ columns: ColumnSet
  ) {
    self.snapshot = snapshot
    self.series = series
    self.filter = filter
    self.columns = columns
  }

  /// Returns the next page, or nil at the end.
  mutating func next() throws -> RowSelection? {
    if isAtEnd { return nil }
    let limit = pageCount + skipCount
    let page = try snapshot.select(
      SeriesSelection(series, where: filter), order: .start(ascending: false), limit: limit,
      columns: columns)
    isAtEnd = page.count < limit
    pageCount = min(pageCount * 4, Self.pageLimit)
    guard let last = page.entries.last else { return nil }
    var rows = page
    rows.entries.removeFirst(min(skipCount, rows.entries.count))
    // Rows with equal start dates have a fixed order, so the next page repeats the rows that this
    // page returned for its last start date.
    let start = page.blocks[Int(last.block)].start[Int(last.row)]
    skipCount =
      page.entries.reversed().prefix {
        page.blocks[Int($0.block)].start[Int($0.row)] == start
      }.count
    filter.start = filter.start.intersection(.through(start))
    return rows
  }
}
