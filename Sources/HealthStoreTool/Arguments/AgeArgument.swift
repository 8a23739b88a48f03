import Foundation

/// Parses an age: a whole number and a unit, such as `365d`.
enum AgeArgument {
  /// Returns the age in seconds, or nil if the text is not an age from one hour to 1,000 years.
  static func seconds(_ text: String) -> TimeInterval? {
    let units: [Character: Int] = ["h": 3600, "d": 86_400, "w": 604_800]
    let digits = text.dropLast()
    guard let last = text.last, let unit = units[last],
      !digits.isEmpty, digits.count <= 9, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(digits), number > 0, number * unit <= longest
    else { return nil }
    return TimeInterval(number * unit)
  }

  /// 1,000 years, in seconds; a longer age is a typing error.
  private static let longest = 365_250 * 86_400
}
