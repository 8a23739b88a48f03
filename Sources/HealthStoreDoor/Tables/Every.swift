import Foundation
import HealthStore

/// A parser for the argument `every` of `statistics`, such as `1d` or `6 hours`.
enum Every {
  private typealias Setter = @Sendable (inout DateComponents, Int) -> Void

  private static let units: [(names: [String], set: Setter)] = [
    (["s", "second", "seconds"], { $0.second = $1 }),
    (["min", "minute", "minutes"], { $0.minute = $1 }),
    (["h", "hour", "hours"], { $0.hour = $1 }),
    (["d", "day", "days"], { $0.day = $1 }),
    (["w", "week", "weeks"], { $0.day = $1 * 7 }),
    (["mo", "month", "months"], { $0.month = $1 }),
    (["q", "quarter", "quarters"], { $0.month = $1 * 3 }),
    (["y", "year", "years"], { $0.year = $1 }),
  ]

  /// Returns the intervals of a length such as `1d` in a time zone.
  ///
  /// They are aligned to midnight on Monday, 1 January 2001, and extend in both directions.
  ///
  /// - Throws: A ``DoorError`` if the length or the name of the time zone is invalid.
  static func intervals(
    _ text: String, timeZone name: String
  ) throws -> IntervalStatistics.Intervals {
    guard let zone = TimeZone(identifier: name) else {
      throw DoorError(
        "There is no time zone \"\(name)\"; use a name such as Europe/Berlin or UTC.")
    }
    if text.lowercased() == "all" { return .whole }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let components = try components(text)
    guard
      let anchor = calendar.date(from: DateComponents(year: 2001, month: 1, day: 1))
    else { throw DoorError("The calendar of \(name) has no year 2001.") }
    do {
      return try .init(anchor: anchor, every: components, calendar: calendar)
    } catch {
      throw DoorError("\(error)")
    }
  }

  private static func components(_ text: String) throws -> DateComponents {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    let count = digits.isEmpty ? 1 : Int(digits) ?? 0
    guard (1...100_000_000).contains(count),
      let known = units.first(where: { $0.names.contains(unit) })
    else {
      throw DoorError(
        "\"\(text)\" is not an interval; use all, or a number and one of s, min, h, d, w, mo, "
          + "q, y, such as 1d.")
    }
    var components = DateComponents()
    known.set(&components, count)
    return components
  }
}
