import Foundation

extension Date {
  /// A description of the date that is safe for dates that Foundation traps on.
  var printed: String {
    let seconds = timeIntervalSinceReferenceDate
    return seconds.isFinite ? "\(self)" : "\(seconds) s since 2001"
  }
}
