import SampleLog

/// The rows of a series in descending order of start, a page at a time.
struct NewestFirst {
  private let snapshot: Snapshot
  private let series: [SeriesKey]
  private var filter: RowFilter
  private let columns: ColumnSet
  /// Grows, so that a query with a limit reads little and one without reads few pages.
  private var pageCount = 64
  /// The number of rows with the start at which the next page begins that were returned already.
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
    // Rows of equal start are in a fixed order, so the next page begins with those of this one.
    let start = page.blocks[Int(last.block)].start[Int(last.row)]
    skipCount =
      page.entries.reversed().prefix {
        page.blocks[Int($0.block)].start[Int($0.row)] == start
      }.count
    filter.start = filter.start.intersection(.through(start))
    return rows
  }
}
