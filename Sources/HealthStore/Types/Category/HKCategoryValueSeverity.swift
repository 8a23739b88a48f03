/// The severity of a symptom.
public enum HKCategoryValueSeverity: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Present, with unknown severity.
  case unspecified = 0

  /// Not present.
  case notPresent = 1

  /// Mild.
  case mild = 2

  /// Moderate.
  case moderate = 3

  /// Severe.
  case severe = 4
}
