/// The location of a swimming workout.
public enum HKWorkoutSwimmingLocationType: Int, Sendable {
  /// Unknown.
  case unknown = 0

  /// Pool.
  case pool = 1

  /// Open water.
  case openWater = 2
}
