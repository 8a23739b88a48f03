/// The user's biological sex.
public enum HKBiologicalSex: Int, Sendable {
  /// Not entered.
  case notSet = 0

  /// Female.
  case female = 1

  /// Male.
  case male = 2

  /// Neither female nor male.
  case other = 3
}
