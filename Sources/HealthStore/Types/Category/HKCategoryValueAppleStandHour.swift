/// Whether the user stood in an hour.
public enum HKCategoryValueAppleStandHour: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Stood and moved for at least a minute.
  case stood = 0

  /// Did not stand and move for a minute.
  case idle = 1
}
