/// What was computed from samples, in the unit that they share; nil is what was not asked for or
/// has nothing to be computed from.
struct StatisticsValues: Sendable, Hashable {
  /// The sample that is the most recent one, as a number and two dates.
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

/// What a merge computed for one interval that has samples.
struct StatisticsInterval: Sendable, Hashable {
  /// The interval's number.
  var index: Int

  /// How many samples have a part in the interval, also of those that another source displaced.
  var count = 0

  /// The values of all sources together.
  var merged = StatisticsValues()

  /// The values of each source that has samples in the interval, by number; empty unless asked for.
  var bySource: [Int: StatisticsValues] = [:]
}
