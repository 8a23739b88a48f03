import AppleHealthExport
import Foundation

/// Parses a point in time: ISO 8601, in UTC unless the text has an offset or a zone is given.
enum TimeArgument {
  /// Returns the instant of a date and time, or midnight of a date; nil if the text is neither.
  static func date(_ text: String, in zone: ZoneCalendar? = nil) -> Date? {
    if ExportDateFormat.day(text) == nil, let date = ExportDateFormat.instant(text) { return date }
    let date =
      ExportDateFormat.day(text) == nil
      ? ExportDateFormat.instant(text + "Z") : ExportDateFormat.instant(text + "T00:00:00Z")
    return date.map { zone?.local($0) ?? $0 }
  }
}
