/// The maximum frequency of background delivery.
public enum HKUpdateFrequency: Int, Sendable {
  /// After every change.
  case immediate = 1

  /// At most once an hour.
  case hourly = 2

  /// At most once a day.
  case daily = 3

  /// At most once a week.
  case weekly = 4
}
