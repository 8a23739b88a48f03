/// The only value of category types that have none.
public enum HKCategoryValue: Int, Sendable, HKCategoryValuePredicateProviding {
  /// The type has no values.
  case notApplicable = 0
}
