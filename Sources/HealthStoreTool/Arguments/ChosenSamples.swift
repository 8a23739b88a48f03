import SampleLog

/// The samples of a snapshot that were chosen.
struct ChosenSamples {
  /// The series that may have some, by name.
  let series: [SeriesKey]
  /// What is read of them.
  let selection: SeriesSelection
  /// Throws for a row that was admitted because it cannot be read; nil where that is no question.
  let check: ((RowReference, Snapshot) throws -> Void)?

  /// How many samples there are of each series that has any.
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
