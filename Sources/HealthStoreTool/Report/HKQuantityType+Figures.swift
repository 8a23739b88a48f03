import HealthStore

// The statistics that reports show of a type.
extension HKQuantityType {
  /// The statistics of an interval that pages and tables show.
  ///
  /// HealthKit's sums count overlapping samples of one source twice. Sums of durations here count
  /// such time once.
  var figures: HKStatisticsOptions {
    aggregationStyle == .cumulative
      ? .sum(of: self) : [.discreteAverage, .discreteMin, .discreteMax]
  }
}
