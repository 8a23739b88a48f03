/// The user's activity level when a heart rate was measured.
public enum HKHeartRateMotionContext: Int, Sendable {
  /// Unknown.
  case notSet = 0

  /// Sedentary.
  case sedentary = 1

  /// Active.
  case active = 2
}
