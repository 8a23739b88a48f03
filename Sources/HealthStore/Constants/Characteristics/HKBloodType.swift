/// The user's blood type.
public enum HKBloodType: Int, Sendable {
  /// Not entered.
  case notSet = 0

  /// A, rhesus positive.
  case aPositive = 1

  /// A, rhesus negative.
  case aNegative = 2

  /// B, rhesus positive.
  case bPositive = 3

  /// B, rhesus negative.
  case bNegative = 4

  /// AB, rhesus positive.
  case abPositive = 5

  /// AB, rhesus negative.
  case abNegative = 6

  /// O, rhesus positive.
  case oPositive = 7

  /// O, rhesus negative.
  case oNegative = 8
}
