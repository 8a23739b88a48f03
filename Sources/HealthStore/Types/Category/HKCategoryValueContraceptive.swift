/// The kind of contraceptive.
public enum HKCategoryValueContraceptive: Int, Sendable, HKCategoryValuePredicateProviding {
  /// An unknown kind.
  case unspecified = 1

  /// An implant.
  case implant = 2

  /// An injection.
  case injection = 3

  /// An intrauterine device.
  case intrauterineDevice = 4

  /// A vaginal ring.
  case intravaginalRing = 5

  /// A pill.
  case oral = 6

  /// A patch.
  case patch = 7
}
