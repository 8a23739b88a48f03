import AppleHealthExport
import Foundation

/// Points in time as people type them: ISO 8601, in UTC unless an offset says otherwise.
enum TimeArgument {
  /// The instant that a day, or a day and a time, begins; nil when the text is neither.
  static func date(_ text: String) -> Date? {
    if ExportDateFormat.day(text) != nil { return ExportDateFormat.instant(text + "T00:00:00Z") }
    return ExportDateFormat.instant(text) ?? ExportDateFormat.instant(text + "Z")
  }
}
