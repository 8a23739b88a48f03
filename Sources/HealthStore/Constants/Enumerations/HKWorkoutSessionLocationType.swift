/// The location of a workout: indoors or outdoors.
public enum HKWorkoutSessionLocationType: Int, Sendable {
  /// Unknown.
  case unknown = 1

  /// Indoors.
  case indoor = 2

  /// Outdoors.
  case outdoor = 3
}
