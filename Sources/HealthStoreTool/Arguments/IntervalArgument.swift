import Foundation

/// Parses the length of an interval: a whole number of hours, days or weeks, such as `1d`.
enum IntervalArgument {
  /// Returns the length, or nil if the text is not a length.
  ///
  /// A week is returned as seven days.
  static func components(_ text: String) -> DateComponents? {
    guard AgeArgument.seconds(text) != nil, let number = Int(text.dropLast()) else { return nil }
    return switch text.last {
    case "h": DateComponents(hour: number)
    case "d": DateComponents(day: number)
    default: DateComponents(day: 7 * number)
    }
  }
}
