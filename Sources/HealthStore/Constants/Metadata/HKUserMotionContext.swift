/// The user's motion when a sample was recorded.
public enum HKUserMotionContext: Int, Sendable {
  /// Unknown.
  case notSet = 0

  /// Stationary.
  case stationary = 1

  /// Active.
  case active = 2
}
