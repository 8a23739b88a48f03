/// Where a workout was swum.
public enum HKWorkoutSwimmingLocationType: Int, Sendable {
  /// Not known.
  case unknown = 0

  /// Pool.
  case pool = 1

  /// Open water.
  case openWater = 2
}
