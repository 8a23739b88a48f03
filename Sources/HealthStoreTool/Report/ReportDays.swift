import Foundation

/// The days of a report, and the weeks that they are in.
struct ReportDays {
  /// The most days that one page shows.
  static let limit = 366
  /// How many are shown where nobody says.
  static let standard = 28

  let zone: ZoneCalendar
  /// Where each day begins.
  let starts: [Date]
  /// Where the last one ends.
  let end: Date
  /// The days' names, such as `2024-03-01`.
  let names: [String]
  /// From where each day begins to where it ends, in seconds since 2001.
  let limits: [Range<Double>]

  var count: Int { starts.count }
  var start: Date { starts.first ?? end }

  /// The days from the one with a date through the one before another; nil when they are too many.
  init?(from first: Date, to last: Date, in zone: ZoneCalendar) {
    self.zone = zone
    let calendar = zone.calendar
    var starts: [Date] = []
    var day = calendar.startOfDay(for: first)
    while day < last {
      guard starts.count < Self.limit else { return nil }
      starts.append(day)
      day = Self.next(day, by: 1, calendar)
    }
    self.starts = starts
    end = day
    names = starts.map { Self.name($0, zone) }
    limits = zip(starts, starts.dropFirst() + [day]).map {
      $0.timeIntervalSinceReferenceDate..<$1.timeIntervalSinceReferenceDate
    }
  }

  /// The beginning of a day so many days later.
  static func next(_ day: Date, by count: Int, _ calendar: Calendar) -> Date {
    // Through noon, which every day has.
    let noon = day + 43_200
    let later = calendar.date(byAdding: .day, value: count, to: noon) ?? noon + 86_400
    return calendar.startOfDay(for: later)
  }

  /// The name of the day that a date is in.
  static func name(_ date: Date, _ zone: ZoneCalendar) -> String {
    UTCText.day(date + TimeInterval(zone.calendar.timeZone.secondsFromGMT(for: date)))
  }

  /// The number of the day with a date; nil outside of all.
  func index(of date: Date) -> Int? {
    guard date >= start, date < end else { return nil }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= date { low = middle } else { high = middle }
    }
    return low
  }

  /// The numbers of the days that an interval is in, of which it may be a moment; nil for none.
  func indices(from start: Double, to end: Double) -> ClosedRange<Int>? {
    // An interval that ends at midnight has no part of the day that begins then.
    let last = end > start ? end.nextDown : end
    let period = self.start.timeIntervalSinceReferenceDate..<self.end.timeIntervalSinceReferenceDate
    guard !period.isEmpty, start < period.upperBound, last >= period.lowerBound else { return nil }
    func date(_ seconds: Double) -> Date {
      Date(
        timeIntervalSinceReferenceDate: min(
          max(seconds, period.lowerBound), period.upperBound.nextDown))
    }
    guard let first = index(of: date(start)), let final = index(of: date(last)) else { return nil }
    return first...max(first, final)
  }

  /// The number of the week that a day is in, counted from the first.
  func week(ofDay index: Int) -> Int {
    (index + calendarWeekday(start)) / 7
  }

  /// How many days a day is behind Monday.
  private func calendarWeekday(_ date: Date) -> Int {
    (zone.calendar.component(.weekday, from: date) + 5) % 7
  }

  /// The names of the Mondays of all weeks.
  var weekNames: [String] {
    guard count > 0 else { return [] }
    let monday = Self.next(start, by: -calendarWeekday(start), zone.calendar)
    return (0...week(ofDay: count - 1)).map {
      Self.name(Self.next(monday, by: 7 * $0, zone.calendar), zone)
    }
  }
}
