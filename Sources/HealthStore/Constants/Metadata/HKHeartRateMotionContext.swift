/// What the user did when a heart rate was taken.
public enum HKHeartRateMotionContext: Int, Sendable {
  /// Not known.
  case notSet = 0

  /// Sedentary.
  case sedentary = 1

  /// Active.
  case active = 2
}
