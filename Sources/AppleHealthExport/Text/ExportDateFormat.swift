public import Foundation

/// A parser of the date formats in exports, hand-written because files contain tens of millions.
///
/// Dates are proleptic Gregorian. The offset in the text only determines the instant: every record
/// of a file has the exporting phone's offset, which is not the time zone of the recording.
public enum ExportDateFormat {
  /// Parses an instant.
  ///
  /// Accepts `2019-05-14 19:05:29 -0400`, the compact `20150616071916-0700` of iOS 8, and
  /// ISO 8601 with `T`, a fraction, `Z` and `-04:00`.
  ///
  /// - Parameter text: The whole attribute value.
  /// - Returns: The instant, or nil if a field is missing or out of range, or if more text follows.
  public static func instant(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { instant($0) }
  }

  /// Parses a day in the format `yyyy-MM-dd`.
  ///
  /// - Parameter text: The whole attribute value.
  /// - Returns: The year, month and day, or nil if the text is not an existing day.
  public static func day(_ text: String) -> DateComponents? {
    var text = text
    return text.withUTF8 { bytes in
      var cursor = Cursor(bytes: bytes)
      guard let day = cursor.day(), cursor.atEnd else { return nil }
      return DateComponents(year: day.year, month: day.month, day: day.day)
    }
  }

  static func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var cursor = Cursor(bytes: bytes)
    guard let day = cursor.day() else { return nil }
    _ = cursor.take(UInt8(ascii: " ")) || cursor.take(UInt8(ascii: "T"))
    guard let hour = cursor.number(2), hour <= 23 else { return nil }
    let separated = cursor.take(UInt8(ascii: ":"))
    guard let minute = cursor.number(2), minute <= 59 else { return nil }
    if separated, !cursor.take(UInt8(ascii: ":")) { return nil }
    // HealthKit's time scale has no leap seconds, so a leap second (60) is the second after 59.
    guard let second = cursor.number(2), second <= 60 else { return nil }
    let fraction = cursor.fraction()
    _ = cursor.take(UInt8(ascii: " "))
    guard let offset = cursor.offset(), cursor.atEnd else { return nil }
    let seconds = day.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private struct Day {
    var year: Int
    var month: Int
    var day: Int

    /// The number of days since 1970-01-01.
    ///
    /// The computation starts years in March, so that the leap day is the last day of its year.
    var daysSince1970: Int {
      let year = month > 2 ? year : year - 1
      let era = (year >= 0 ? year : year - 399) / 400
      let yearOfEra = year - era * 400
      let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        - 719_468
    }

    var exists: Bool {
      guard (1...12).contains(month), year >= 1, day >= 1 else { return false }
      let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      return day <= days
    }
  }

  private struct Cursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var at = 0

    var atEnd: Bool { at == bytes.count }

    mutating func take(_ byte: UInt8) -> Bool {
      guard at < bytes.count, bytes[at] == byte else { return false }
      at += 1
      return true
    }

    mutating func number(_ digits: Int) -> Int? {
      guard at + digits <= bytes.count else { return nil }
      var value = 0
      for index in at..<(at + digits) {
        let digit = bytes[index] &- 48
        guard digit <= 9 else { return nil }
        value = value * 10 + Int(digit)
      }
      at += digits
      return value
    }

    mutating func day() -> Day? {
      guard let year = number(4) else { return nil }
      let separated = take(UInt8(ascii: "-"))
      guard let month = number(2) else { return nil }
      if separated, !take(UInt8(ascii: "-")) { return nil }
      guard let number = number(2) else { return nil }
      let day = Day(year: year, month: month, day: number)
      return day.exists ? day : nil
    }

    mutating func fraction() -> Double {
      let start = at
      guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return 0 }
      var value = 0.0
      var scale = 1.0
      while let digit = number(1) {
        if scale < 1e9 {
          scale *= 10
          value = value * 10 + Double(digit)
        }
      }
      if at == start + 1 { at = start }
      return value / scale
    }

    mutating func offset() -> Int? {
      if take(UInt8(ascii: "Z")) { return 0 }
      let positive = take(UInt8(ascii: "+"))
      guard positive || take(UInt8(ascii: "-")) else { return nil }
      guard let hours = number(2), hours <= 18 else { return nil }
      _ = take(UInt8(ascii: ":"))
      guard let minutes = number(2), minutes <= 59 else { return nil }
      return (positive ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
  }
}
