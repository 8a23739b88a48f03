/// What happened during a workout.
public enum HKWorkoutEventType: Int, Sendable {
  /// The workout was paused.
  case pause = 1

  /// The workout went on.
  case resume = 2

  /// A lap was completed.
  case lap = 3

  /// The user marked a moment.
  case marker = 4

  /// The device noticed a rest.
  case motionPaused = 5

  /// The device noticed motion again.
  case motionResumed = 6

  /// A segment, such as a set, was completed.
  case segment = 7

  /// The user asked to pause or resume.
  case pauseOrResumeRequest = 8
}
