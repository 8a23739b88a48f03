import Foundation

/// A day of somebody's calendar, wherever its midnights were.
///
/// Days of all calendars are numbered alike, so that one can be asked for in any of them.
struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1 January 1970, which is day 0.
  let number: Int

  init(number: Int) { self.number = number }

  private static let secondsPerDay = 86_400.0

  /// The day that components name by their own calendar; `nil` when they lack one, or a part of the
  /// date, or name a day that there is not.
  init?(_ components: DateComponents) {
    guard let calendar = components.calendar, components.year != nil, components.month != nil,
      components.day != nil
    else { return nil }
    let utc = Self.inUTC(calendar)
    // Noon is on the same day, whatever an hour or a time zone among the components would say.
    let day = DateComponents(
      era: components.era, year: components.year, month: components.month, day: components.day,
      hour: 12)
    guard let noon = utc.date(from: day) else { return nil }
    let found = utc.dateComponents([.year, .month, .day], from: noon)
    guard found.year == day.year, found.month == day.month, found.day == day.day else { return nil }
    number = Int((noon.timeIntervalSince1970 / Self.secondsPerDay).rounded(.down))
  }

  /// The day that a predicate's constant names, if it names one.
  init?(constant: Any) {
    switch constant {
    case let components as DateComponents: self.init(components)
    case let components as NSDateComponents: self.init(components as DateComponents)
    default: return nil
    }
  }

  /// Era, year, month and day of the day by a calendar, and the calendar itself.
  func components(in calendar: Calendar) -> DateComponents {
    let noon = Date(timeIntervalSince1970: (Double(number) + 0.5) * Self.secondsPerDay)
    var components = Self.inUTC(calendar).dateComponents([.era, .year, .month, .day], from: noon)
    components.calendar = calendar
    return components
  }

  static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

  /// The calendar where all days have 24 hours.
  private static func inUTC(_ calendar: Calendar) -> Calendar {
    var utc = calendar
    utc.timeZone = .gmt
    return utc
  }
}

extension CalendarDay: CustomStringConvertible {
  /// The day in the Gregorian calendar, as in `2026-11-23`.
  var description: String {
    let day = components(in: Calendar(identifier: .gregorian))
    func padded(_ part: Int?) -> String { String(format: "%02d", part ?? 0) }
    return "\(day.year ?? 0)-\(padded(day.month))-\(padded(day.day))"
  }
}
