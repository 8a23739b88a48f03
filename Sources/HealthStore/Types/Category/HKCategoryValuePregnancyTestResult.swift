/// The result of a pregnancy test.
public enum HKCategoryValuePregnancyTestResult: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Not pregnant.
  case negative = 1

  /// Pregnant.
  case positive = 2

  /// No clear result.
  case indeterminate = 3
}
