/// The amount of vaginal bleeding.
public enum HKCategoryValueVaginalBleeding: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Bleeding of an unknown amount.
  case unspecified = 1

  /// Light bleeding.
  case light = 2

  /// Medium bleeding.
  case medium = 3

  /// Heavy bleeding.
  case heavy = 4

  /// No bleeding.
  case none = 5
}
