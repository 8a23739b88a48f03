import SampleLog

/// The series to read for one or several types, each with its own condition.
struct QueryPlan: Sendable {
  /// The sample type of each series.
  ///
  /// Types that no sample can match are omitted. Most plans have one type.
  let types: [(key: SeriesKey, type: HKSampleType)]
  /// The series to read, with their filters.
  let selection: SeriesSelection
  /// A lease that keeps the symbols of the series valid.
  let names: SymbolLease
  /// The workout membership condition of the plan, if any.
  ///
  /// Membership changes over time.
  var membership: Membership?

  /// A condition on workout membership, which is resolved for each read.
  struct Membership: Sendable {
    let wanted: [(type: HKSampleType, condition: SampleCondition)]
    /// The series of links between workouts and their samples, and of effort ratings.
    let links: [SeriesKey]
  }

  /// The series that a feed of the plan subscribes to.
  var observed: SeriesSelection {
    guard let membership else { return selection }
    var filters: [SeriesKey: RowFilter] = [:]
    for key in membership.links { filters[key] = RowFilter() }
    for (key, _) in types { filters[key] = selection.filter(for: key) }
    return SeriesSelection(filters)
  }

  /// Returns the sample type of a series, or nil if the plan does not read it.
  func type(of key: SeriesKey) -> HKSampleType? { types.first { $0.key == key }?.type }
}
