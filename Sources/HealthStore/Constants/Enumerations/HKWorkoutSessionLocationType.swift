/// Whether a workout takes place indoors.
public enum HKWorkoutSessionLocationType: Int, Sendable {
  /// Not known.
  case unknown = 1

  /// Indoors.
  case indoor = 2

  /// Outdoors.
  case outdoor = 3
}
