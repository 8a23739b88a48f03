import Foundation

/// Ages as people type them: a whole number and a unit, such as `365d`.
enum AgeArgument {
  /// The age in seconds; nil when the text is none, or none that anybody means.
  static func seconds(_ text: String) -> TimeInterval? {
    let units: [Character: Int] = ["h": 3600, "d": 86_400, "w": 604_800]
    let digits = text.dropLast()
    guard let last = text.last, let unit = units[last],
      !digits.isEmpty, digits.count <= 9, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(digits), number > 0, number * unit <= longest
    else { return nil }
    return TimeInterval(number * unit)
  }

  /// A thousand years: more is a slip.
  private static let longest = 365_250 * 86_400
}
