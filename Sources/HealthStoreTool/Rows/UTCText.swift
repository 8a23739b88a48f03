import Foundation

/// Formats dates as ISO 8601 in UTC, without Foundation, which is slow for millions of dates.
///
/// Distinct finite dates have distinct texts. Dates beyond the range of integer seconds are written
/// as an offset from 2001 in seconds, and non-finite dates as a word.
enum UTCText {
  /// Returns `2024-03-01T08:30:00Z`, with as many fractional digits as identify the date.
  static func text(_ secondsSince2001: Double) -> String {
    guard let (whole, fraction) = split(secondsSince2001) else { return far(secondsSince2001) }
    return day(whole) + "T" + time(whole) + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  /// Returns `2024-03-01 08:30:00`, for tables.
  static func short(_ secondsSince2001: Double) -> String {
    guard let (whole, _) = split(secondsSince2001) else { return far(secondsSince2001) }
    return day(whole) + " " + time(whole)
  }

  /// Returns the time of day as `08:30:00.123`, for current events.
  static func clock(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard let (whole, fraction) = split(seconds) else { return far(seconds) }
    return time(whole) + "." + (fraction + "000").prefix(3)
  }

  /// Returns the day as `2024-03-01`.
  static func day(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    return split(seconds).map { day($0.whole) } ?? far(seconds)
  }

  /// Returns the seconds since 1970 and the fractional digits, or nil if integers cannot hold them.
  private static func split(_ seconds: Double) -> (whole: Int, fraction: String)? {
    guard seconds.isFinite, seconds.magnitude < 0x1p62 else { return nil }
    let whole = Int(seconds.rounded(.down))
    let digits = seconds == Double(whole) ? "" : fraction(seconds)
    return (whole + 978_307_200, digits)
  }

  /// Returns the fewest fractional digits that identify the date.
  ///
  /// The fraction counts forward from the second below. Before 2001 it is therefore the complement
  /// of the number's own fraction.
  private static func fraction(_ seconds: Double) -> String {
    let text = "\(seconds.magnitude)"
    var digits: Substring
    if let exponent = text.lastIndex(of: "e"), let power = Int(text[text.index(after: exponent)...])
    {
      // Swift writes numbers below 1e-4 with an exponent.
      digits = text[..<exponent].filter { $0 != "." }[...]
      if digits.count > 1, digits.last == "0" { digits.removeLast() }
      digits = String(repeating: "0", count: max(0, -power - 1)) + digits
    } else {
      digits = text.drop { $0 != "." }.dropFirst()
    }
    guard seconds < 0 else { return String(digits) }
    // The complement subtracts the last digit from ten and all others from nine.
    var result = ""
    for (index, digit) in digits.enumerated() {
      let from = index == digits.count - 1 ? 10 : 9
      result += String(from - (digit.wholeNumberValue ?? 0))
    }
    return result
  }

  private static func far(_ seconds: Double) -> String {
    if seconds.isNaN { return "not-a-date" }
    if seconds.isInfinite { return seconds < 0 ? "-infinity" : "infinity" }
    return "2001-01-01T00:00:00Z\(seconds < 0 ? "-" : "+")\(seconds.magnitude)s"
  }

  /// Returns the day of a time in seconds since 1970.
  static func day(_ seconds: Int) -> String {
    // Converts days to a civil date, in eras of 400 years that begin in March.
    let days = (seconds - wrapped(seconds)) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (number <= 2 ? 1 : 0)
    // ISO 8601 requires a sign for years of more than four digits.
    return "\(year > 9999 ? "+" : "")\(pad(year, 4))-\(pad(number, 2))-\(pad(day, 2))"
  }

  /// Returns the second of the day.
  private static func wrapped(_ seconds: Int) -> Int { ((seconds % 86_400) + 86_400) % 86_400 }

  private static func time(_ seconds: Int) -> String {
    let rest = wrapped(seconds)
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

extension UTCText {
  /// Returns the exact date of a text that ``text(_:)`` wrote, or nil for other texts.
  ///
  /// The text may have a UTC offset instead of `Z`.
  static func seconds(of text: String) -> Double? {
    guard let (whole, fraction, places) = fields(Array(text.utf8)) else { return farSeconds(text) }
    if fraction == 0 { return Double(whole) }
    // The quotient of two exact numbers is rounded like the decimal text.
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    let (product, overflows) = Int64(whole).multipliedReportingOverflow(by: scale)
    guard !overflows else { return nil }
    let digits = product + fraction
    if digits.magnitude < 1 << 53 { return Double(digits) / Double(scale) }
    let (left, right) = digits.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
    let zeros = String(repeating: "0", count: places - "\(right)".count)
    return Double("\(digits < 0 ? "-" : "")\(left).\(zeros)\(right)")
  }

  /// Parses a date beyond the range of integer seconds, which is written as an offset from 2001.
  private static func farSeconds(_ text: String) -> Double? {
    let origin = "2001-01-01T00:00:00Z"
    guard text.hasPrefix(origin), text.hasSuffix("s"),
      let seconds = Double(text.dropFirst(origin.count).dropLast())
    else { return nil }
    return seconds.isFinite ? seconds : nil
  }

  /// Parses whole seconds since 2001, and the fraction as a number and its count of digits.
  private static func fields(
    _ bytes: [UInt8]
  ) -> (whole: Int, fraction: Int64, places: Int)? {
    var rest = bytes[...]
    func digits(_ counts: ClosedRange<Int>) -> Int? {
      var (value, count) = (0, 0)
      while let byte = rest.first, byte >= 0x30, byte < 0x3A, count < counts.upperBound {
        value = value * 10 + Int(byte - 0x30)
        count += 1
        rest = rest.dropFirst()
      }
      return count >= counts.lowerBound ? value : nil
    }
    func take(_ character: Character) -> Bool {
      guard rest.first == character.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    // Later years are beyond the range of integer seconds.
    guard let year = digits(4...12), year < 200_000_000_000, take("-"), let month = digits(2...2),
      take("-"),
      let day = digits(2...2), take("T"), let hour = digits(2...2), take(":"),
      let minute = digits(2...2), take(":"), let second = digits(2...2),
      (1...12).contains(month), day >= 1, day <= days(of: month, isNegative ? -year : year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var (fraction, places) = (0, 0)
    if take(".") {
      let before = rest.count
      guard let value = digits(1...18) else { return nil }
      (fraction, places) = (value, before - rest.count)
    }
    var offset = 0
    if !take("Z") {
      let sign = take("-") ? -1 : take("+") ? 1 : 0
      guard sign != 0, let hours = digits(2...2), take(":"), let minutes = digits(2...2),
        hours < 24, minutes < 60
      else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard rest.isEmpty else { return nil }
    let days = dayNumber(isNegative ? -year : year, month, day)
    let whole = days * 86_400 + hour * 3600 + minute * 60 + second - offset - 978_307_200
    return (whole, Int64(fraction), places)
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return isLeap ? 29 : 28
  }

  /// Returns the number of days since 1970, computed in eras of 400 years that begin in March.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
