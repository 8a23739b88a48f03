/// The quality of the cervical mucus.
public enum HKCategoryValueCervicalMucusQuality: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Dry.
  case dry = 1

  /// Sticky.
  case sticky = 2

  /// Creamy.
  case creamy = 3

  /// Watery.
  case watery = 4

  /// Like the white of an egg.
  case eggWhite = 5
}
