import HealthStore

extension HKQuantityType {
  /// The figures of an interval that pages and tables show.
  ///
  /// HealthKit's sums add up samples of one source that overlap; a duration must not.
  var figures: HKStatisticsOptions {
    aggregationStyle == .cumulative
      ? .sum(of: self) : [.discreteAverage, .discreteMin, .discreteMax]
  }
}
