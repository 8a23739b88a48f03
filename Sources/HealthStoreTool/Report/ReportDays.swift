import Foundation

/// The days of a report and their weeks.
struct ReportDays {
  /// The maximum number of days on a page.
  static let limit = 366
  /// The default number of days.
  static let standard = 28

  let zone: ZoneCalendar
  /// The start of each day.
  let starts: [Date]
  /// The end of the last day.
  let end: Date
  /// The names of the days, such as `2024-03-01`.
  let names: [String]
  /// The interval of each day, in seconds since 2001-01-01 00:00 UTC.
  let limits: [Range<Double>]

  var count: Int { starts.count }
  var start: Date { starts.first ?? end }

  /// Creates the days from that of `first` to the last one that begins before `last`.
  ///
  /// Returns nil if there are more than ``limit``.
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

  /// Returns the start of the day that follows by a number of days.
  static func next(_ day: Date, by count: Int, _ calendar: Calendar) -> Date {
    // Computed at noon, because a clock change can skip midnight.
    let noon = day + 43_200
    let later = calendar.date(byAdding: .day, value: count, to: noon) ?? noon + 86_400
    return calendar.startOfDay(for: later)
  }

  /// Returns the name of the day that contains a date.
  static func name(_ date: Date, _ zone: ZoneCalendar) -> String {
    UTCText.day(date + TimeInterval(zone.calendar.timeZone.secondsFromGMT(for: date)))
  }

  /// Returns the index of the day that contains a date, or nil if none does.
  func index(of date: Date) -> Int? {
    guard date >= start, date < end else { return nil }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= date { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the indices of the days that an interval or an instant overlaps, or nil if none.
  func indices(from start: Double, to end: Double) -> ClosedRange<Int>? {
    // An interval that ends at midnight does not overlap the next day.
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

  /// Returns the index of the week that contains a day.
  func week(ofDay index: Int) -> Int {
    (index + calendarWeekday(start)) / 7
  }

  /// Returns the number of days since Monday, from 0 to 6.
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
