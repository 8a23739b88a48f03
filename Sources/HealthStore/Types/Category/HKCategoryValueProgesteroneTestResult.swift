/// The result of a progesterone test.
public enum HKCategoryValueProgesteroneTestResult: Int, Sendable, HKCategoryValuePredicateProviding
{
  /// No rise of progesterone.
  case negative = 1

  /// A rise of progesterone.
  case positive = 2

  /// No clear result.
  case indeterminate = 3
}
