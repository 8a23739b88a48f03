import Foundation

/// A day of somebody's calendar, wherever its midnights were.
///
/// Days of all calendars are numbered alike, so that one can be asked for in any of them.
struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1 January 1970, which is day 0.
  let number: Int

  init(number: Int) { self.number = number }

  private static let secondsPerDay = 86_400.0

  /// The day that a date is on by a calendar and its time zone.
  init(of date: Date, in calendar: Calendar) {
    let day = calendar.dateComponents([.era, .year, .month, .day], from: date)
    let midnight = Self.inUTC(calendar).date(from: day) ?? date
    number = Int((midnight.timeIntervalSince1970 / Self.secondsPerDay).rounded(.down))
  }

  /// The day that components name by their own calendar, or by another where they have none; `nil`
  /// when there is neither, when they lack a part of the date, or name a day that there is not.
  ///
  /// - Parameters:
  ///   - components: Year, month and day, and maybe the era.
  ///   - other: The calendar where they have none.
  ///   - carries: Whether the 32nd of a month is a day of the next one, as calendars have it.
  init?(_ components: DateComponents, in other: Calendar? = nil, carries: Bool = false) {
    guard let calendar = components.calendar ?? other, components.year != nil,
      components.month != nil, components.day != nil
    else { return nil }
    let utc = Self.inUTC(calendar)
    // Noon is on the same day, whatever an hour or a time zone among the components would say.
    let day = DateComponents(
      era: components.era, year: components.year, month: components.month, day: components.day,
      hour: 12)
    guard let noon = utc.date(from: day) else { return nil }
    if !carries {
      let found = utc.dateComponents([.year, .month, .day], from: noon)
      guard found.year == day.year, found.month == day.month, found.day == day.day else {
        return nil
      }
    }
    let days = (noon.timeIntervalSince1970 / Self.secondsPerDay).rounded(.down)
    guard let number = Int(exactly: days) else { return nil }
    self.number = number
  }

  /// The day that a predicate's constant names, if it names one.
  ///
  /// Programs add to the day of components to get a later one, also at the end of a month.
  init?(constant: Any) {
    switch constant {
    case let components as DateComponents: self.init(components, carries: true)
    case let components as NSDateComponents:
      self.init(components as DateComponents, carries: true)
    default: return nil
    }
  }

  /// The middle of the day by a calendar and its time zone.
  func noon(in calendar: Calendar) -> Date? {
    var components = components(in: calendar)
    components.hour = 12
    return calendar.date(from: components)
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
