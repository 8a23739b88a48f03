/// The reason for a notification of unsteady gait.
public enum HKCategoryValueAppleWalkingSteadinessEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// Low for the first time.
  case initialLow = 1

  /// Very low for the first time.
  case initialVeryLow = 2

  /// Low again.
  case repeatLow = 3

  /// Very low again.
  case repeatVeryLow = 4
}
