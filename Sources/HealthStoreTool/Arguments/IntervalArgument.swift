import Foundation

/// Lengths of intervals as people type them: a whole number of hours, days or weeks, such as `1d`.
enum IntervalArgument {
  /// The length; nil when the text is none.
  ///
  /// Weeks are counted in days.
  static func components(_ text: String) -> DateComponents? {
    guard AgeArgument.seconds(text) != nil, let number = Int(text.dropLast()) else { return nil }
    return switch text.last {
    case "h": DateComponents(hour: number)
    case "d": DateComponents(day: number)
    default: DateComponents(day: 7 * number)
    }
  }
}

/// The calendar of a time zone, in which intervals and days are counted.
struct ZoneCalendar {
  let calendar: Calendar

  init(_ zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// A Monday at midnight, where all intervals are counted from.
  var monday: Date {
    calendar.date(from: DateComponents(year: 2001, month: 1, day: 1))
      ?? Date(timeIntervalSinceReferenceDate: 0)
  }

  /// An instant that was read as UTC, as the same day and time of the zone.
  func local(_ date: Date) -> Date {
    let zone = calendar.timeZone
    let near = date - TimeInterval(zone.secondsFromGMT(for: date))
    // The clock may have been changed in between.
    return date - TimeInterval(zone.secondsFromGMT(for: near))
  }

  /// `2024-03-01T00:00:00+01:00`; in UTC as everywhere else.
  func text(_ date: Date) -> String {
    let offset = calendar.timeZone.secondsFromGMT(for: date)
    let seconds = date.timeIntervalSinceReferenceDate
    if offset == 0 { return UTCText.text(seconds) }
    let minutes = abs(offset) / 60
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return UTCText.text(seconds + Double(offset)).dropLast()
      + "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }
}
