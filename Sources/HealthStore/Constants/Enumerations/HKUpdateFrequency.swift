/// How often background delivery may happen.
public enum HKUpdateFrequency: Int, Sendable {
  /// At every change.
  case immediate = 1

  /// Once an hour at most.
  case hourly = 2

  /// Once a day at most.
  case daily = 3

  /// Once a week at most.
  case weekly = 4
}
