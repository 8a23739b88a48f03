/// The quantity that the Move ring measures.
public enum HKActivityMoveMode: Int, Sendable {
  /// The active energy burned.
  case activeEnergy = 1

  /// The time spent moving.
  case appleMoveTime = 2
}
