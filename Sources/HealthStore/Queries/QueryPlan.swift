import SampleLog

/// What to read for one or several types, each with its own predicate.
struct QueryPlan: Sendable {
  /// The type of each series; types that no sample can match have none.
  let types: [SeriesKey: HKSampleType]
  /// What to read of each series.
  let selection: SeriesSelection
  /// Keeps the numbers of the series valid.
  let names: SymbolLease
  /// What it was made of, if it asks what belongs to workouts, which changes.
  var membership: Membership?

  /// A question about the samples of workouts, which each read answers for itself.
  struct Membership: Sendable {
    let wanted: [(type: HKSampleType, condition: SampleCondition)]
    /// The series of what names the samples of workouts, and those that rate them.
    let links: [SeriesKey]
  }

  /// What a feed of the plan listens to.
  var observed: SeriesSelection {
    guard let membership else { return selection }
    var filters: [SeriesKey: RowFilter] = [:]
    for key in membership.links { filters[key] = RowFilter() }
    for key in types.keys { filters[key] = selection.filter(for: key) }
    return SeriesSelection(filters)
  }
}
