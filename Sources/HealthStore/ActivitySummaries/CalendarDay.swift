import Foundation

/// A calendar day, independent of time zones.
///
/// The numbering is the same for all calendars, so a day can be converted between them.
struct CalendarDay: Hashable, Comparable, Sendable {
  /// The number of days since 1970-01-01, which is day 0.
  let number: Int

  init(number: Int) { self.number = number }

  private static let secondsPerDay = 86_400.0

  /// Creates the day that contains a date in a calendar and its time zone.
  init(of date: Date, in calendar: Calendar) {
    let day = calendar.dateComponents([.era, .year, .month, .day], from: date)
    let midnight = Self.inUTC(calendar).date(from: day) ?? date
    number = Int((midnight.timeIntervalSince1970 / Self.secondsPerDay).rounded(.down))
  }

  /// Creates the day that components specify in their own calendar, or else in the given one.
  ///
  /// Returns `nil` if there is no calendar, or if the components are incomplete or not a valid day.
  ///
  /// - Parameters:
  ///   - components: The year, month and day, and optionally the era.
  ///   - other: The calendar to use if the components have none.
  ///   - carries: Whether an out-of-range day, such as the 32nd, carries over into the next month.
  init?(_ components: DateComponents, in other: Calendar? = nil, carries: Bool = false) {
    guard let calendar = components.calendar ?? other, components.year != nil,
      components.month != nil, components.day != nil
    else { return nil }
    let utc = Self.inUTC(calendar)
    // Noon is on the same day, regardless of an hour or a time zone among the components.
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

  /// Creates the day that a predicate's constant specifies, or returns nil.
  ///
  /// Programs compute a later day by adding to the `day` component, even past the end of a month.
  init?(constant: Any) {
    switch constant {
    case let components as DateComponents: self.init(components, carries: true)
    case let components as NSDateComponents:
      self.init(components as DateComponents, carries: true)
    default: return nil
    }
  }

  /// Returns noon of the day in a calendar and its time zone.
  func noon(in calendar: Calendar) -> Date? {
    var components = components(in: calendar)
    components.hour = 12
    return calendar.date(from: components)
  }

  /// Returns the era, year, month and day of the day in a calendar, and the calendar itself.
  func components(in calendar: Calendar) -> DateComponents {
    let noon = Date(timeIntervalSince1970: (Double(number) + 0.5) * Self.secondsPerDay)
    var components = Self.inUTC(calendar).dateComponents([.era, .year, .month, .day], from: noon)
    components.calendar = calendar
    return components
  }

  static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

  /// Returns a copy of the calendar in UTC, in which all days have 24 hours.
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
