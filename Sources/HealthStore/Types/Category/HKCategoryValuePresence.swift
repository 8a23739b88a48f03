/// Whether a symptom is there.
public enum HKCategoryValuePresence: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Present.
  case present = 0

  /// Not present.
  case notPresent = 1
}
