import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

@Suite struct StatisticsGridTests {
  private func calendar(
    _ zone: String, _ identifier: Calendar.Identifier = .gregorian
  ) throws -> Calendar {
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private func date(
    _ year: Int, _ month: Int, _ day: Int, hour: Int = 0, in calendar: Calendar
  ) throws -> Date {
    try #require(
      calendar.date(from: DateComponents(year: year, month: month, day: day, hour: hour)))
  }

  @Test func `months from the 31st return to the 31st`() throws {
    let calendar = try calendar("Europe/Berlin")
    let grid = StatisticsGrid(
      anchor: try date(2025, 1, 31, in: calendar), components: DateComponents(month: 1),
      calendar: calendar)
    let expected = [(-2, 11, 30), (-1, 12, 31), (0, 1, 31), (1, 2, 28), (2, 3, 31), (3, 4, 30)]
    for (index, month, day) in expected {
      let start = calendar.dateComponents([.month, .day, .hour], from: grid.startDate(of: index))
      #expect(start == DateComponents(month: month, day: day, hour: 0), "\(index)")
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", 3, 30, 23.0), ("Europe/Berlin", 10, 26, 25.0),
    ("America/New_York", 3, 9, 23.0), ("America/New_York", 11, 2, 25.0),
    ("Australia/Lord_Howe", 4, 6, 24.5), ("Australia/Lord_Howe", 10, 5, 23.5),
    ("Europe/Berlin", 7, 1, 24.0),
  ])
  func `a day is as long as the clock makes it`(
    zone: String, month: Int, day: Int, hours: Double
  ) throws {
    let calendar = try calendar(zone)
    let grid = StatisticsGrid(
      anchor: try date(2025, 6, 1, in: calendar), components: DateComponents(day: 1),
      calendar: calendar)
    let noon = try date(2025, month, day, hour: 12, in: calendar)
    let index = grid.index(at: noon)
    #expect(grid.startDate(of: index) == calendar.startOfDay(for: noon))
    #expect(grid.start(of: index + 1) - grid.start(of: index) == hours * 3_600)
  }

  @Test(arguments: ["GMT", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
  func `intervals follow the calendar when grids share cached boundaries`(zone: String) throws {
    let calendar = try calendar(zone)
    let anchor = try date(2025, 1, 31, in: calendar)
    let steps = [DateComponents(day: 1), DateComponents(day: 2), DateComponents(month: 1)]
    var random = Seeded(UInt64(zone.utf8.count))
    for _ in 0..<300 {
      // Grids with the same anchor, step and calendar share cached boundaries.
      let components = steps[random.below(steps.count)]
      let grid = StatisticsGrid(anchor: anchor, components: components, calendar: calendar)
      let index = random.below(2_000) - 1_000
      func start(_ index: Int) throws -> Double {
        var all = DateComponents()
        all.day = components.day.map { $0 * index }
        all.month = components.month.map { $0 * index }
        return try #require(calendar.date(byAdding: all, to: anchor)).timeIntervalSinceReferenceDate
      }
      let (begin, end) = (try start(index), try start(index + 1))
      let inside = begin + (end - begin) * Double(random.below(1_000)) / 1_000
      for time in [begin, inside, end.nextDown] { #expect(grid.index(at: time) == index) }
      #expect(grid.index(at: end) == index + 1 && grid.index(at: begin.nextDown) == index - 1)
      #expect(grid.start(of: index) == begin)
      #expect(grid.evenBoundaries(around: index).start(of: index) == begin)
    }
  }

  @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe"])
  func `hours and shorter intervals have the same length on every day`(
    zone: String
  ) throws {
    let calendar = try calendar(zone)
    let anchor = try date(2025, 3, 1, in: calendar)
    let parts = DateComponents(hour: 1, minute: 30, second: 1)
    let grid = StatisticsGrid(anchor: anchor, components: parts, calendar: calendar)
    for index in -1_000...6_000 where index % 50 == 0 {
      let components = DateComponents(hour: index, minute: 30 * index, second: index)
      #expect(grid.startDate(of: index) == calendar.date(byAdding: components, to: anchor))
    }
  }

  @Test(arguments: [
    DateComponents(day: 1), DateComponents(hour: 1), DateComponents(month: 1),
    DateComponents(year: 1), DateComponents(weekOfYear: 2), DateComponents(quarter: 1),
    DateComponents(day: 1, hour: 5), DateComponents(second: 7),
    DateComponents(nanosecond: 500_000_000),
  ])
  func `each time lies in the interval of its number, before and after the anchor`(
    components: DateComponents
  ) throws {
    // The standard library seeds its hashes differently in each process.
    var random = Seeded(mixing: stableHash(Array("\(components)".utf8)))
    for (zone, identifier) in [
      ("Europe/Berlin", .gregorian), ("Australia/Lord_Howe", .gregorian), ("Asia/Riyadh", .hebrew),
      ("America/New_York", .islamicCivil),
    ] as [(String, Calendar.Identifier)] {
      let calendar = try calendar(zone, identifier)
      let anchor = Date(timeIntervalSinceReferenceDate: Double(random.below(700_000_000)))
      let grid = StatisticsGrid(anchor: anchor, components: components, calendar: calendar)
      for _ in 0..<40 {
        let time = Double(random.below(1_600_000_000)) - 400_000_000
        let index = grid.index(at: time)
        #expect(grid.start(of: index) <= time && time < grid.start(of: index + 1))
        let boundary = grid.start(of: index)
        #expect(grid.index(at: boundary) == index && grid.index(at: boundary.nextDown) < index)
      }
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", 2025), ("America/Recife", 2000), ("Pacific/Apia", 2011),
    ("Africa/Freetown", 1939), ("Australia/Lord_Howe", 2025),
  ])
  func `boundaries computed without the calendar match the calendar`(
    zone: String, year: Int
  ) throws {
    let calendar = try calendar(zone)
    let anchor = try date(year, 6, 3, in: calendar)
    var reckoned = 0
    for components in [
      DateComponents(day: 1), DateComponents(day: 2), DateComponents(day: 1, hour: 3),
      DateComponents(hour: 1), DateComponents(month: 1),
    ] {
      let grid = StatisticsGrid(anchor: anchor, components: components, calendar: calendar)
      for index in -200...220 {
        let boundaries = grid.evenBoundaries(around: index)
        reckoned += boundaries.indices.count > 1 ? 1 : 0
        for other in boundaries.indices {
          #expect(boundaries.start(of: other) == grid.start(of: other), "\(other)")
        }
        #expect(boundaries.start(of: index) == grid.start(of: index))
      }
    }
    #expect((reckoned > 500) == (year >= 1970))
  }

  @Test func `a quarter is three months and a week seven days`() throws {
    let calendar = try calendar("Europe/Berlin")
    let anchor = try date(2025, 1, 1, in: calendar)
    let quarters = StatisticsGrid(
      anchor: anchor, components: DateComponents(quarter: 1), calendar: calendar)
    #expect(quarters.startDate(of: 3) == (try date(2025, 10, 1, in: calendar)))
    let weeks = StatisticsGrid(
      anchor: anchor, components: DateComponents(weekOfYear: 1), calendar: calendar)
    #expect(weeks.startDate(of: -1) == (try date(2024, 12, 25, in: calendar)))
  }

  @Test func `the components bring their own calendar and time zone`() throws {
    let (berlin, other) = (try calendar("Europe/Berlin"), try calendar("Asia/Tokyo"))
    let anchor = try date(2025, 3, 29, in: berlin)
    var components = DateComponents(calendar: berlin, day: 1)
    var grid = StatisticsGrid(anchor: anchor, components: components, calendar: other)
    #expect(grid.start(of: 2) - grid.start(of: 1) == 23 * 3_600)
    components = DateComponents(timeZone: berlin.timeZone, day: 1)
    grid = StatisticsGrid(anchor: anchor, components: components, calendar: other)
    #expect(grid.start(of: 2) - grid.start(of: 1) == 23 * 3_600)
    grid = StatisticsGrid(anchor: anchor, components: DateComponents(day: 1), calendar: other)
    #expect(grid.start(of: 2) - grid.start(of: 1) == 24 * 3_600)
  }

  @Test func `a day that a calendar skips is an empty interval`() throws {
    let calendar = try calendar("Pacific/Apia")
    let grid = StatisticsGrid(
      anchor: try date(2011, 12, 28, in: calendar), components: DateComponents(day: 1),
      calendar: calendar)
    let spans = [
      StatisticsSpan(
        start: grid.start(of: 1), end: grid.start(of: 1) + 3 * 86_400, value: 300, rank: 0,
        sequence: 0)
    ]
    let found = StatisticsMerge.of(
      spans, in: grid, style: .cumulative, options: [.cumulativeSum], sourceOfRank: [0])
    #expect(found.map(\.merged.sum) == [100, 100, 100])
    for interval in found {
      #expect(grid.start(of: interval.index + 1) - grid.start(of: interval.index) == 86_400)
    }
  }

  @Test func `every date lies in an interval, whatever the anchor`() throws {
    let calendar = try calendar("Europe/Berlin")
    for anchor in [Date.distantPast, Date(timeIntervalSinceReferenceDate: 0), .distantFuture] {
      for components in [DateComponents(day: 1), DateComponents(year: 9_000)] {
        let grid = StatisticsGrid(anchor: anchor, components: components, calendar: calendar)
        for time in [-Double.infinity, -1e300, -6e10, 7e8, 6e10, 1e300, .infinity] {
          let index = grid.index(at: time)
          #expect(grid.start(of: index) <= time && time <= grid.start(of: index + 1))
          #expect(grid.startDate(of: index) >= .distantPast)
          #expect(grid.startDate(of: index + 1) <= .distantFuture)
        }
        _ = grid.index(at: Double.nan)
        #expect(grid.start(of: .min) == -.infinity && grid.start(of: .max) == .infinity)
      }
    }
  }

  @Test(
    arguments: [
      (DateComponents(), .emptyInterval), (DateComponents(day: 0, hour: 0), .emptyInterval),
      (DateComponents(day: -1), .negativeComponent(name: "day", value: -1)),
      (DateComponents(month: 1, hour: -1), .negativeComponent(name: "hour", value: -1)),
      (DateComponents(era: 1), .unsupportedComponent(name: "era")),
      (DateComponents(nanosecond: 1), .intervalTooShort(seconds: 1e-9)),
      (DateComponents(year: .max / 2), .intervalTooLong),
      (DateComponents(month: .max / 2, quarter: .max / 2), .intervalTooLong),
    ] as [(DateComponents, HKStatisticsError)])
  func `an invalid interval is refused with a message`(
    components: DateComponents, error: HKStatisticsError
  ) throws {
    let calendar = try calendar("Europe/Berlin")
    #expect(throws: error) {
      _ = try StatisticsGrid.validated(
        anchor: .distantPast, components: components, calendar: calendar)
    }
    #expect((error as NSError).code == HKError.Code.errorInvalidArgument.rawValue)
    #expect(error.description.hasSuffix(".") && error.localizedDescription == error.description)
  }

  @Test(arguments: [Double.nan, .infinity, -1e12])
  func `an anchor outside the years from 1 to 4001 is refused`(anchor: Double) {
    #expect(throws: HKStatisticsError.anchorOutOfRange) {
      _ = try StatisticsGrid.validated(
        anchor: Date(timeIntervalSinceReferenceDate: anchor), components: DateComponents(day: 1),
        calendar: Calendar(identifier: .gregorian))
    }
  }

  @Test func `the plain initialiser traps if the validating one throws`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = StatisticsGrid(
        anchor: .distantPast, components: DateComponents(day: 0),
        calendar: Calendar(identifier: .gregorian))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!TrapMessages.arePrinted || text.contains("must be longer than nothing"))
  }
}
