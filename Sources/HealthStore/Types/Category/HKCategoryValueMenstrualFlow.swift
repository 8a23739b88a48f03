/// The amount of menstrual flow.
public enum HKCategoryValueMenstrualFlow: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Flow of an unknown amount.
  case unspecified = 1

  /// Light flow.
  case light = 2

  /// Medium flow.
  case medium = 3

  /// Heavy flow.
  case heavy = 4

  /// No flow.
  case none = 5
}
