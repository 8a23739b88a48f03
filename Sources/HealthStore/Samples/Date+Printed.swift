import Foundation

extension Date {
  /// The date as text, also where Foundation traps instead of printing it.
  var printed: String {
    let seconds = timeIntervalSinceReferenceDate
    return seconds.isFinite ? "\(self)" : "\(seconds) s since 2001"
  }
}
