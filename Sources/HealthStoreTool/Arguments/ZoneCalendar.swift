import Foundation

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
  ///
  /// Before zones had whole minutes an offset has seconds, `+00:53:28`: without them the text would
  /// be of another moment.
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
  /// The option that says where days begin.
  static let timeZone = Self(
    name: "--time-zone", value: "ZONE",
    help: "Where days begin, such as Europe/Berlin; UTC unless given.")
}

extension ParsedArguments {
  /// The calendar of `--time-zone`.
  func zone() throws(UsageError) -> ZoneCalendar {
    let name = self["--time-zone"] ?? "UTC"
    guard let zone = TimeZone(identifier: name) else {
      throw error("The option --time-zone needs a name such as Europe/Berlin, not \(name)")
    }
    return ZoneCalendar(zone)
  }
}
