/// Computed values in the common unit of the samples.
///
/// A value is nil if it was not requested or has no samples.
struct StatisticsValues: Sendable, Hashable {
  /// The most recent sample, as a number and two dates.
  struct MostRecent: Sendable, Hashable {
    var value: Double
    /// In seconds since the reference date.
    var start: Double
    /// In seconds since the reference date.
    var end: Double
  }

  var sum: Double?
  var average: Double?
  var minimum: Double?
  var maximum: Double?
  var mostRecent: MostRecent?
  /// In seconds.
  var duration: Double?
}

/// The values of one interval that has samples.
struct StatisticsInterval: Sendable, Hashable {
  /// The interval's number.
  var index: Int

  /// The number of samples that overlap the interval, including those covered by another source.
  var count = 0

  /// The values of all sources combined.
  var merged = StatisticsValues()

  /// The values of each source that has samples in the interval, by number; empty unless requested.
  var bySource: [Int: StatisticsValues] = [:]
}
