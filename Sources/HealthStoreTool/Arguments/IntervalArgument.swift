import Foundation

/// Lengths of intervals as people type them: a whole number of hours, days or weeks, such as `1d`.
enum IntervalArgument {
  /// The length; nil when the text is none.
  ///
  /// Weeks are counted in days.
  static func components(_ text: String) -> DateComponents? {
    guard AgeArgument.seconds(text) != nil, let number = Int(text.dropLast()) else { return nil }
    return switch text.last {
    case "h": DateComponents(hour: number)
    case "d": DateComponents(day: number)
    default: DateComponents(day: 7 * number)
    }
  }
}
