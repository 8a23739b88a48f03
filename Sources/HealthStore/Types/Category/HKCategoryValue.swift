/// The value of category types without an enumeration.
public enum HKCategoryValue: Int, Sendable, HKCategoryValuePredicateProviding {
  /// The type has no values.
  case notApplicable = 0
}
