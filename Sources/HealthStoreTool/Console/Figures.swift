import Foundation

/// Formats numbers for display, independently of the locale.
enum Figures {
  /// Returns a number with thousands separators: `1,234,567`.
  static func count(_ value: some BinaryInteger) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }

  /// Returns a number with a noun: `1 file`, `2 files`.
  static func count(_ value: some BinaryInteger, _ noun: String) -> String {
    count(value, noun, noun + "s")
  }

  /// Returns a number with a noun in the singular or plural: `1 summary`, `2 summaries`.
  static func count(_ value: some BinaryInteger, _ one: String, _ many: String) -> String {
    "\(count(value)) \(value == 1 ? one : many)"
  }

  /// Returns a size with a decimal unit: `1.23 MB`.
  static func bytes(_ value: Int) -> String {
    var rest = Double(value)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while rest >= 999.5, unit < units.count - 1 {
      rest /= 1000
      unit += 1
    }
    return unit == 0 ? "\(value) B" : "\(decimal(rest, rest < 10 ? 2 : 1)) \(units[unit])"
  }

  /// Returns a number with a fixed number of decimal places.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", locale: Locale(identifier: "en_US_POSIX"), value)
  }

  /// Rounds to significant digits, which removes the rounding error of a unit conversion.
  static func rounded(_ value: Double, digits: Int) -> Double {
    Double(String(format: "%.\(digits)g", locale: Locale(identifier: "en_US_POSIX"), value))
      ?? value
  }

  /// Returns the shortest text that parses as the same number: `62`, `0.97`.
  static func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return "\(whole)" }
    return "\(value)"
  }

  /// Returns a number with at most three decimal places, or with an exponent if its magnitude is
  /// 1e15 or greater.
  static func short(_ value: Double) -> String {
    guard value.magnitude < 1e15 else { return "\(value)" }
    var text = decimal(value, 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Returns a duration with a unit: `850 us`, `12.3 ms` or `4.56 s`.
  static func time(_ seconds: Double) -> String {
    if seconds < 0.001 { return "\(decimal(seconds * 1_000_000, 0)) us" }
    if seconds < 1 { return "\(decimal(seconds * 1000, 1)) ms" }
    return "\(decimal(seconds, 2)) s"
  }
}
