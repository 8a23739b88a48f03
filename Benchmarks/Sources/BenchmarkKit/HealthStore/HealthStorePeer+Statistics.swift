import Foundation
import HealthStore

extension HealthStorePeer {
  func averages(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAverage] {
    let store = HKHealthStore(database: database, subject: "person \(series.subject)")
    let unit = try HKUnit.parse(StreamNames.units[Int(series.type.rawValue)])
    let query = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(
        type: HKQuantityType(StreamNames.types[Int(series.type.rawValue)]),
        predicate: range == SampleStream.allDays
          ? nil
          : HKQuery.predicateForSamples(
            withStart: Date(timeIntervalSinceReferenceDate: Self.date(range.lowerBound)),
            end: Date(timeIntervalSinceReferenceDate: Self.date(range.upperBound)),
            options: [])),
      options: [.discreteAverage, .discreteMin, .discreteMax],
      anchorDate: Date(timeIntervalSinceReferenceDate: Self.date(SampleStream.epoch)),
      intervalComponents: .days(1))
    let collection = try blocking { try await query.result(for: store) }
    return collection.statistics().map { day in
      let start = Self.milliseconds(day.startDate.timeIntervalSinceReferenceDate)
      return DailyAverage(
        day: start / SampleStream.millisecondsPerDay,
        average: day.averageQuantity()?.doubleValue(for: unit) ?? .nan,
        minimum: day.minimumQuantity()?.doubleValue(for: unit) ?? .nan,
        maximum: day.maximumQuantity()?.doubleValue(for: unit) ?? .nan)
    }
  }
}

extension DateComponents {
  /// UTC days.
  static func days(_ count: Int) -> DateComponents {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return DateComponents(calendar: calendar, day: count)
  }
}
