/// What the ring for movement counts.
public enum HKActivityMoveMode: Int, Sendable {
  /// The energy burned.
  case activeEnergy = 1

  /// The time spent moving.
  case appleMoveTime = 2
}
