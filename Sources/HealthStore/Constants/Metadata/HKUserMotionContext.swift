/// How the user moved when a sample was taken.
public enum HKUserMotionContext: Int, Sendable {
  /// Not known.
  case notSet = 0

  /// Stationary.
  case stationary = 1

  /// Active.
  case active = 2
}
