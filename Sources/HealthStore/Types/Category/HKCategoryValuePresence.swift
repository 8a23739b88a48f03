/// The presence of a symptom.
public enum HKCategoryValuePresence: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Present.
  case present = 0

  /// Not present.
  case notPresent = 1
}
