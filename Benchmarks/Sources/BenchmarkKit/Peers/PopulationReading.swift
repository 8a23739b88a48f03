/// A peer that can query everybody at once.
package protocol PopulationReading: BenchmarkPeer {
  /// Count, sum, minimum and maximum of every UTC day with rows of a type that start in the range,
  /// in ascending order. The range consists of whole days.
  func days(of type: StreamType, in range: Range<Int64>) throws -> [DailyAggregate]

  /// The rows of a type whose start is in the range and whose value is greater than `value`, in any
  /// order.
  func rows(
    of type: StreamType, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws

  /// The number of such rows and the sum of their values.
  func total(
    of type: StreamType, in range: Range<Int64>, above value: Double
  ) throws -> SampleTotal
}

extension [DailyAggregate] {
  /// Merges the days of several people, listed one person after the other.
  func addedByDay() -> [DailyAggregate] {
    var days: [Int64: DailyAggregate] = [:]
    for day in self {
      guard var sum = days[day.day] else {
        days[day.day] = day
        continue
      }
      sum.count += day.count
      sum.sum += day.sum
      sum.minimum = Swift.min(sum.minimum, day.minimum)
      sum.maximum = Swift.max(sum.maximum, day.maximum)
      days[day.day] = sum
    }
    return days.values.sorted { $0.day < $1.day }
  }
}
