import SampleLog

/// What to read for one or several types, each with its own predicate.
struct QueryPlan: Sendable {
  /// The type of each series; types that no sample can match have none.
  let types: [SeriesKey: HKSampleType]
  /// What to read of each series.
  let selection: SeriesSelection
}
