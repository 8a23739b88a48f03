/// The aggregate of one UTC day of one type.
package struct DailyAggregate {
  /// Days since 1970.
  var day: Int64
  var count: Int
  var sum: Double
  var minimum: Double
  var maximum: Double
}

/// The number of samples and the sum of their values.
package struct SampleTotal: Equatable {
  package var count: Int
  package var sum: Double
}

/// The statistics of one UTC day of one type.
package struct DailyAverage {
  /// Days since 1970.
  package var day: Int64
  package var average: Double
  package var minimum: Double
  package var maximum: Double
}

extension DailyAverage {
  init(_ day: DailyAggregate) {
    self.init(
      day: day.day, average: day.sum / Double(day.count), minimum: day.minimum,
      maximum: day.maximum)
  }
}
