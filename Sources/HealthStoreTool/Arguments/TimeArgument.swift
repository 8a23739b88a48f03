import AppleHealthExport
import Foundation

/// Points in time as people type them: ISO 8601, in UTC unless an offset or a zone says otherwise.
enum TimeArgument {
  /// The instant that a day, or a day and a time, begins; nil when the text is neither.
  static func date(_ text: String, in zone: ZoneCalendar? = nil) -> Date? {
    if ExportDateFormat.day(text) == nil, let date = ExportDateFormat.instant(text) { return date }
    let date =
      ExportDateFormat.day(text) == nil
      ? ExportDateFormat.instant(text + "Z") : ExportDateFormat.instant(text + "T00:00:00Z")
    return date.map { zone?.local($0) ?? $0 }
  }
}
