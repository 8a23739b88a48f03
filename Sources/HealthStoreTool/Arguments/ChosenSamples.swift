import SampleLog

/// The samples of a snapshot that a ``SampleChoice`` selects.
struct ChosenSamples {
  /// The series that may have matching samples, sorted by subject and type name.
  let series: [SeriesKey]
  /// The row filter of each series.
  let selection: SeriesSelection
  /// Throws if a row passed the filter because it cannot be decoded; nil without a predicate.
  let check: ((Row, Snapshot) throws -> Void)?

  /// Returns the number of matching samples by series, without series that have none.
  func counts(in snapshot: Snapshot) throws -> [(key: SeriesKey, count: Int)] {
    try series.compactMap { key in
      var count = 0
      let filter = selection.filter(for: key)
      if let check {
        try snapshot.stream([key], where: filter) { rows in
          for row in rows { try check(row, snapshot) }
          count += rows.count
          return true
        }
      } else if filter.ids != nil {
        count = try snapshot.select([key], where: filter).count
      } else {
        try snapshot.scan([key], where: filter, columns: []) { _, rows in
          count += rows.count
          return true
        }
      }
      return count == 0 ? nil : (key, count)
    }
  }
}
