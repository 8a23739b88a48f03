import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

/// A random history of samples around a change of the clock, and the intervals to divide it into.
struct StatisticsHistory {
  let calendar: Calendar
  let anchor: Date
  let components: DateComponents
  let style: HKQuantityAggregationStyle
  let sourceOfRank: [Int]
  let spans: [StatisticsSpan]

  static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]
  static let everything: HKStatisticsOptions = [
    .separateBySource, .discreteAverage, .discreteMin, .discreteMax, .cumulativeSum, .mostRecent,
    .duration,
  ]

  /// Makes a history of two to five sources.
  ///
  /// `change` is 0 or 1 for the first or second of the year.
  init(seed: UInt64, zone: String, change: Int, sources: Int? = nil) throws {
    var random = Seeded(mixing: seed, UInt64(change), UInt64(zone.utf8.count))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    self.calendar = calendar
    var changed = Date(timeIntervalSinceReferenceDate: 757_382_400)
    for _ in 0...change {
      changed = try #require(calendar.timeZone.nextDaylightSavingTimeTransition(after: changed))
    }
    let first = changed.timeIntervalSinceReferenceDate - 1.5 * 86_400
    anchor = Self.anchor(near: changed, in: calendar, &random)
    components = Self.components(&random)
    style = HKQuantityAggregationStyle(rawValue: random.below(4)) ?? .cumulative
    sourceOfRank = Self.ranks(of: sources ?? 2 + random.below(4), &random)
    let ranks = sourceOfRank.count
    let count = sources.map { $0 * 2 } ?? 1 + random.below(40)
    spans = (0..<count).map { number in
      let start = first + Self.offset(&random)
      let hasUnknownEnd = random.oneIn(12)
      let end =
        hasUnknownEnd
        ? Date.distantFuture.timeIntervalSinceReferenceDate : start + Self.length(&random)
      return StatisticsSpan(
        start: start, end: end, value: Double(random.below(1_000)) / 10,
        rank: random.below(ranks), sequence: UInt64(number), hasUnknownEnd: hasUnknownEnd)
    }
  }

  var grid: StatisticsGrid {
    StatisticsGrid(anchor: anchor, components: components, calendar: calendar)
  }

  func merged(
    in intervals: some StatisticsIntervals, options: HKStatisticsOptions = everything
  ) -> [StatisticsInterval] {
    StatisticsMerge.of(
      spans, in: intervals, style: style, options: options, sourceOfRank: sourceOfRank)
  }

  /// Returns the reference's statistics, computing each interval with the calendar.
  func reference() throws -> [StatisticsInterval] {
    let (boundaries, first) = try boundaries()
    return reference(boundaries: boundaries, firstIndex: first)
  }

  /// Returns the boundaries of the intervals with samples, and the number of the first.
  func boundaries() throws -> ([Double], firstIndex: Int) {
    let starts = spans.map(\.start)
    let last = spans.map(\.until).max() ?? 0
    var (index, boundary) = (0, anchor.timeIntervalSinceReferenceDate)
    while boundary > starts.min() ?? 0 {
      index -= 1
      boundary = try self.boundary(index)
    }
    let first = index
    var boundaries = [boundary]
    while boundary <= last {
      index += 1
      boundary = try self.boundary(index)
      boundaries.append(boundary)
    }
    return (boundaries, first)
  }

  func reference(boundaries: [Double], firstIndex: Int) -> [StatisticsInterval] {
    StatisticsReference(
      boundaries: boundaries, firstIndex: firstIndex, style: style, sourceOfRank: sourceOfRank
    ).intervals(spans)
  }

  private func boundary(_ index: Int) throws -> Double {
    let multiplied = DateComponents(
      month: components.month.map { $0 * index }, day: components.day.map { $0 * index },
      hour: components.hour.map { $0 * index }, minute: components.minute.map { $0 * index },
      weekOfYear: components.weekOfYear.map { $0 * index })
    return try #require(calendar.date(byAdding: multiplied, to: anchor))
      .timeIntervalSinceReferenceDate
  }
}

extension StatisticsHistory {
  private static func components(_ random: inout Seeded) -> DateComponents {
    switch random.below(8) {
    case 0: DateComponents(hour: 1)
    case 1: DateComponents(minute: 30)
    case 2: DateComponents(hour: 6)
    case 3: DateComponents(day: 2)
    case 4: DateComponents(month: 1)
    case 5: DateComponents(weekOfYear: 1)
    case 6: DateComponents(day: 1, hour: 1)
    default: DateComponents(day: 1)
    }
  }

  /// A midnight, a time that the clock may skip or repeat, or any other time.
  private static func anchor(
    near date: Date, in calendar: Calendar, _ random: inout Seeded
  ) -> Date {
    let midnight = calendar.startOfDay(for: date).timeIntervalSinceReferenceDate
    let days = Double(random.below(9) - 4) * 86_400
    switch random.below(3) {
    case 0:
      return calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: midnight + days))
    case 1: return Date(timeIntervalSinceReferenceDate: midnight + days + 9_000)
    default: return Date(timeIntervalSinceReferenceDate: midnight + Double(random.below(200_000)))
    }
  }

  /// Gives each source a rank, and some a second one, in random order.
  private static func ranks(of sources: Int, _ random: inout Seeded) -> [Int] {
    var ranks = Array(0..<sources)
    for source in 0..<sources where random.oneIn(3) { ranks.append(source) }
    return ranks.shuffled(using: &random)
  }

  /// Times that often coincide, and some that never do.
  private static func offset(_ random: inout Seeded) -> Double {
    switch random.below(4) {
    case 0: Double(random.below(72)) * 3_600
    case 1: Double(random.below(144)) * 1_800
    case 2: Double(random.below(260_000))
    default: Double(random.below(260_000_000)) / 1_024
    }
  }

  private static func length(_ random: inout Seeded) -> Double {
    switch random.below(8) {
    case 0, 1: 0
    case 2: 60
    case 3: 1_800
    case 4: Double(1 + random.below(12)) * 3_600
    case 5: Double(1 + random.below(40_000)) / 4
    case 6: Double(1 + random.below(4)) * 86_400
    default: Double(1 + random.below(7_200))
    }
  }
}
