/// What one UTC day of one type adds up to.
package struct DailyAggregate {
  /// Days since 1970.
  var day: Int64
  var count: Int
  var sum: Double
  var minimum: Double
  var maximum: Double
}
