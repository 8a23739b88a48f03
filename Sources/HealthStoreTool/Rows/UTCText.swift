import Foundation

/// Dates as ISO 8601 in UTC, by hand because a feed has millions.
enum UTCText {
  /// `2024-03-01T08:30:00Z`, with as many digits behind the second as it takes, six at most.
  static func text(_ secondsSince2001: Double) -> String {
    let (whole, micros) = split(secondsSince2001)
    var text = day(whole) + "T" + time(whole)
    if micros > 0 {
      var fraction = pad(micros, 6)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// `2024-03-01 08:30:00`, for tables.
  static func short(_ secondsSince2001: Double) -> String {
    let (whole, _) = split(secondsSince2001)
    return day(whole) + " " + time(whole)
  }

  /// `08:30:00.123`, for what happens now.
  static func clock(_ date: Date) -> String {
    let (whole, micros) = split(date.timeIntervalSinceReferenceDate)
    return time(whole) + "." + pad(micros / 1000, 3)
  }

  /// `2024-03-01`.
  static func day(_ date: Date) -> String {
    day(split(date.timeIntervalSinceReferenceDate).whole)
  }

  /// Seconds since 1970 and microseconds.
  private static func split(_ seconds: Double) -> (whole: Int, micros: Int) {
    // Far beyond every calendar; integers would overflow later.
    let seconds = min(max(seconds, -1e12), 1e12)
    var whole = seconds.rounded(.down)
    var micros = ((seconds - whole) * 1_000_000).rounded()
    if micros >= 1_000_000 {
      whole += 1
      micros = 0
    }
    return (Int(whole) + 978_307_200, Int(micros))
  }

  private static func day(_ seconds: Int) -> String {
    // Civil from days, counted in eras of 400 years that begin in March.
    let days = Int((Double(seconds) / 86_400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (number <= 2 ? 1 : 0)
    return "\(pad(year, 4))-\(pad(number, 2))-\(pad(day, 2))"
  }

  private static func time(_ seconds: Int) -> String {
    let rest = ((seconds % 86_400) + 86_400) % 86_400
    return "\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))"
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    if width == 2, number >= 0, number < 100 { return pairs[number] }
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "")
      + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static let pairs = (0..<100).map { $0 < 10 ? "0\($0)" : "\($0)" }
}
