/// The type of an event during a workout.
public enum HKWorkoutEventType: Int, Sendable {
  /// The workout was paused.
  case pause = 1

  /// The workout was resumed.
  case resume = 2

  /// A lap was completed.
  case lap = 3

  /// The user marked a point in time.
  case marker = 4

  /// The device detected inactivity and paused the workout.
  case motionPaused = 5

  /// The device detected motion and resumed the workout.
  case motionResumed = 6

  /// A segment, such as a set, was completed.
  case segment = 7

  /// The user requested to pause or resume the workout.
  case pauseOrResumeRequest = 8
}
