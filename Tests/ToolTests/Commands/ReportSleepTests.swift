import Foundation
import HealthStore
import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// Compares the days of sleep with examining every minute.
@Suite struct ReportSleepTests {
  private typealias Span = (value: HKCategoryValueSleepAnalysis, minutes: Range<Int>)

  /// A midnight in UTC, four days before the clock changes in Berlin.
  private static let midnight = Date(timeIntervalSinceReferenceDate: 796_089_600)
  private static let day = 1440
  private static let values: [HKCategoryValueSleepAnalysis] = [
    .inBed, .asleepUnspecified, .awake, .asleepCore, .asleepDeep, .asleepREM,
  ]

  private func samples(_ spans: [Span]) -> [HKCategorySample] {
    spans.map { span in
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: span.value.rawValue,
        start: Self.midnight + Double(span.minutes.lowerBound) * 60,
        end: Self.midnight + Double(span.minutes.upperBound) * 60)
    }
  }

  /// The figures of days, from the samples that the report would read.
  private func found(
    _ spans: [Span], _ days: Range<Int>, in zone: ZoneCalendar = ZoneCalendar(.gmt)
  ) throws -> [ReportSleep.Day] {
    let range = try #require(
      ReportDays(
        from: Self.midnight + Double(days.lowerBound) * 86_400,
        to: Self.midnight + Double(days.upperBound) * 86_400, in: zone))
    let read = samples(spans).filter {
      $0.startDate < range.end + ReportSleep.reach && $0.endDate > range.start - ReportSleep.reach
    }
    return ReportSleep(read).days(range)
  }

  @Test func `Time in bed from noon to noon leaves a nap on its day`() throws {
    let days = try found(
      [
        (.inBed, 720..<720 + 1440), (.asleepCore, 780..<840), (.asleepCore, 1380..<1860),
      ], 0..<2)
    #expect(days.map(\.asleep) == [3600, 28_800])
    #expect(days.map { $0.values[.inBed] } == [7200, 79_200])
  }

  @Test func `A night without sleep has its time in bed on the day on which it ends`() throws {
    let days = try found([(.inBed, 1320..<1860), (.asleepCore, 1080..<1140)], 0..<2)
    #expect(days.map { $0.values[.inBed] } == [nil, 32_400])
    #expect(days.map(\.asleep) == [3600, 0])
  }

  private func randomSpans(_ random: inout Seeded) -> [Span] {
    (0..<Int.random(in: 1...40, using: &random)).map { _ in
      let start = Int.random(in: -2 * Self.day..<7 * Self.day, using: &random)
      let lengths = [90, 500, 1440, 3000]
      let length = Int.random(
        in: 1...lengths[Int.random(in: 0..<4, using: &random)], using: &random)
      return (Self.values[Int.random(in: 0..<6, using: &random)], start..<start + length)
    }
  }

  // MARK: The model

  /// Whether a span covers each minute, from four days before the midnight to twelve days after it.
  private func minutes(_ spans: [Span]) -> [Bool] {
    var minutes = [Bool](repeating: false, count: 16 * Self.day)
    for span in spans {
      for minute in span.minutes { minutes[minute + 4 * Self.day] = true }
    }
    return minutes
  }

  /// The first minute of the period around a midnight, including breaks of up to two hours.
  private func start(_ minutes: [Bool], across midnight: Int) -> Int? {
    guard let before = minutes[..<midnight].lastIndex(of: true),
      let after = minutes[midnight...].firstIndex(of: true), after - before - 1 <= 120
    else { return nil }
    var start = before
    while let earlier = minutes[..<start].lastIndex(of: true), start - earlier - 1 <= 120 {
      start = earlier
    }
    return start
  }

  private func night(_ asleep: [Bool], _ all: [Bool], before midnight: Int) -> Int {
    let sleep = start(asleep, across: midnight) ?? midnight
    let nap = asleep[..<sleep].lastIndex(of: true).map { $0 + 1 } ?? 0
    return max(start(all, across: midnight) ?? midnight, nap, midnight - 720)
  }

  /// The seconds of each day, at most the length of the day.
  private func model(_ time: [Bool], nights: [Int]) -> [Double] {
    let starts = nights.enumerated().map { day, night in
      let next = (day + 5) * Self.day
      var (start, count) = (next, 0)
      while start > night, count + (time[start - 1] ? 1 : 0) <= Self.day {
        start -= 1
        count += time[start] ? 1 : 0
      }
      return start
    }
    return zip(starts, starts.dropFirst()).map { start, end in
      Double(time[start..<end].count { $0 }) * 60
    }
  }

  @Test(arguments: 0..<UInt64(Trials.count(150, quick: 60)))
  func `Random sleep agrees with examining every minute`(seed: UInt64) throws {
    var random = Seeded(seed)
    let spans = randomSpans(&random)
    let asleepValues = HKCategoryValueSleepAnalysis.allAsleepValues
    let asleep = minutes(spans.filter { asleepValues.contains($0.value) })
    let all = minutes(spans)
    let nights = (0...7).map { night(asleep, all, before: ($0 + 4) * Self.day) }
    let days = try found(spans, 0..<7)
    #expect(days.map(\.asleep) == model(asleep, nights: nights))
    for value in [HKCategoryValueSleepAnalysis.inBed, .awake] {
      let time = minutes(spans.filter { $0.value == value })
      #expect(days.map { $0.values[value] ?? 0 } == model(time, nights: nights), "\(value)")
    }
    for day in days {
      #expect(day.values.values.allSatisfy { $0 <= 86_400 })
      #expect(day.parts.reduce(0) { $0 + $1.seconds } <= 86_400)
    }
  }

  @Test(
    arguments: 0..<UInt64(Trials.count(100, quick: 30)),
    ["UTC", "Europe/Berlin", "Pacific/Kiritimati"])
  func `A day has the same figures, whatever the range of days`(
    seed: UInt64, zone: String
  ) throws {
    var random = Seeded(seed)
    let calendar = ZoneCalendar(try #require(TimeZone(identifier: zone)))
    let spans = randomSpans(&random)
    let whole = try found(spans, -4..<12, in: calendar)
    for _ in 0..<5 {
      let first = Int.random(in: -4..<12, using: &random)
      let last = Int.random(in: first + 1...12, using: &random)
      let part = try found(spans, first..<last, in: calendar)
      for (day, expected) in zip(part, whole[(first + 4)...]) {
        #expect(day.asleep == expected.asleep)
        #expect(day.values == expected.values)
        #expect(day.parts.map(\.seconds) == expected.parts.map(\.seconds))
      }
    }
  }
}
