/// What one UTC day of one type adds up to.
package struct DailyAggregate {
  /// Days since 1970.
  var day: Int64
  var count: Int
  var sum: Double
  var minimum: Double
  var maximum: Double
}

/// How many samples there are, and their values added up.
package struct SampleTotal: Equatable {
  package var count: Int
  package var sum: Double
}

/// What statistics say of one UTC day of one type.
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
