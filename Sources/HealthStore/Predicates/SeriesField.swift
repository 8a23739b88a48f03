/// A property of the values that one quantity sample stands for, which here are always one.
enum SeriesField: String, Hashable, Sendable, CaseIterable {
  case count
  case minimum = "min"
  case maximum = "max"
  case mostRecent = "most_recent"
  case mostRecentStartDate = "most_recent_start_date"
  case mostRecentEndDate = "most_recent_end_date"
  case mostRecentDuration = "most_recent_duration"

  /// The field of the sample that has the property's value; `nil` when none has it.
  var field: ConditionField? {
    switch self {
    case .minimum, .maximum, .mostRecent: .quantity
    case .mostRecentStartDate: .startDate
    case .mostRecentEndDate: .endDate
    case .count, .mostRecentDuration: nil
    }
  }
}
