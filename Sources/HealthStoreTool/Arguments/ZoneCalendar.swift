import Foundation

/// The Gregorian calendar of a time zone, which delimits days and intervals.
struct ZoneCalendar {
  let calendar: Calendar

  init(_ zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// The origin of all intervals: Monday, 1 January 2001, at midnight in the zone.
  var monday: Date {
    calendar.date(from: DateComponents(year: 2001, month: 1, day: 1))
      ?? Date(timeIntervalSinceReferenceDate: 0)
  }

  /// Returns the instant at which the zone has the date and time that an instant has in UTC.
  func local(_ date: Date) -> Date {
    let zone = calendar.timeZone
    let near = date - TimeInterval(zone.secondsFromGMT(for: date))
    // The zone's offset may change between the two instants.
    return date - TimeInterval(zone.secondsFromGMT(for: near))
  }

  /// Returns the time with the zone's offset, `2024-03-01T00:00:00+01:00`, or with `Z` in UTC.
  ///
  /// Historical offsets include seconds, such as `+00:53:28`; without them the text would denote
  /// another instant.
  func text(_ date: Date) -> String {
    let offset = calendar.timeZone.secondsFromGMT(for: date)
    let seconds = date.timeIntervalSinceReferenceDate
    if offset == 0 { return UTCText.text(seconds) }
    let minutes = abs(offset) / 60
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let rest = abs(offset) % 60
    return UTCText.text(seconds + Double(offset)).dropLast()
      + "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
      + (rest == 0 ? "" : ":\(two(rest))")
  }
}

extension CommandUsage.Option {
  /// The option that names the time zone in which days begin.
  static let timeZone = Self(
    name: "--time-zone", value: "ZONE",
    help: "The time zone of days, such as Europe/Berlin; default: UTC.")
}

extension ParsedArguments {
  /// Returns the calendar of `--time-zone`, or of UTC if it was not given.
  func zone() throws(UsageError) -> ZoneCalendar {
    let name = self["--time-zone"] ?? "UTC"
    guard let zone = TimeZone(identifier: name) else {
      throw error("The option --time-zone needs a name such as Europe/Berlin, not \(name)")
    }
    return ZoneCalendar(zone)
  }
}
