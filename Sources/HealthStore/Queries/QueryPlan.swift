import SampleLog

/// What to read for one or several types, each with its own predicate.
struct QueryPlan: Sendable {
  /// One type's part.
  struct Part: Sendable {
    let type: HKSampleType
    let key: SeriesKey
    let filter: RowFilter
  }

  /// Types that no sample can match have no part.
  let parts: [Part]

  var series: [SeriesKey] { parts.map(\.key) }

  /// One filter for the rows of all parts.
  let filter: RowFilter

  init(_ parts: [Part]) {
    self.parts = parts
    if parts.count == 1 || parts.allSatisfy({ $0.filter.isTrivial }) {
      filter = parts.first?.filter ?? RowFilter()
      return
    }
    var filter = RowFilter()
    var byType: [Symbol: RowFilter] = [:]
    for (number, part) in parts.enumerated() {
      byType[part.key.type] = part.filter
      filter.start = number == 0 ? part.filter.start : filter.start.hull(part.filter.start)
      filter.end = number == 0 ? part.filter.end : filter.end.hull(part.filter.end)
    }
    let filters = byType
    filter.condition = { block, row in try filters[block.type]?.admits(block, row) ?? false }
    self.filter = filter
  }
}
