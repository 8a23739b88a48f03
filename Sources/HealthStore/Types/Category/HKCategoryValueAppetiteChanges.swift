/// The change of appetite.
public enum HKCategoryValueAppetiteChanges: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Changed in an unknown way.
  case unspecified = 0

  /// Not changed.
  case noChange = 1

  /// Decreased.
  case decreased = 2

  /// Increased.
  case increased = 3
}
