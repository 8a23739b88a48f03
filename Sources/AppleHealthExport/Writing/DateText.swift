/// An instant in the format of Apple's exports, in UTC: `2019-05-14 19:05:29 +0000`.
struct DateText {
  let bytes: [UInt8]
  /// Whether the text represents the instant exactly.
  let isExact: Bool

  private static let day = 86_400
  /// The years 1 to 9999, in seconds since 2001.
  private static let range = -63_113_904_000.0...252_423_993_599.0
  private static let daysTo2001 = 11_323

  /// Formats seconds since 2001, rounded down and clamped to the years 1 to 9999.
  init(_ seconds: Double) {
    let clamped = min(max(seconds.rounded(.down), Self.range.lowerBound), Self.range.upperBound)
    let whole = Int(clamped)
    isExact = Double(whole).bitPattern == seconds.bitPattern
    let days = Int((clamped / Double(Self.day)).rounded(.down))
    let time = whole - days * Self.day
    let date = Self.date(days + Self.daysTo2001)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(25)
    func digits(_ value: Int, _ count: Int) {
      var divisor = 1
      for _ in 1..<count { divisor *= 10 }
      while divisor > 0 {
        bytes.append(UInt8(48 + value / divisor % 10))
        divisor /= 10
      }
    }
    digits(date.year, 4)
    bytes.append(UInt8(ascii: "-"))
    digits(date.month, 2)
    bytes.append(UInt8(ascii: "-"))
    digits(date.day, 2)
    bytes.append(UInt8(ascii: " "))
    digits(time / 3600, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(time / 60 % 60, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(time % 60, 2)
    bytes.append(contentsOf: " +0000".utf8)
    self.bytes = bytes
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the Gregorian date of a number of days since 1970-01-01.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    // Years that start in March have their leap day at the end; 400 of them have 146,097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      era * 400 + year + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
