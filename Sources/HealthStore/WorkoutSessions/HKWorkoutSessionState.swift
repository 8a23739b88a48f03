/// Where a workout session is between its start and its end.
public enum HKWorkoutSessionState: Int, Sendable {
  /// It was made.
  case notStarted = 1
  /// It goes on.
  case running = 2
  /// It is over.
  case ended = 3
  /// It goes on after a pause, in which nothing is collected.
  case paused = 4
  /// Sensors warm up.
  case prepared = 5
  /// What was collected is being completed, before it ends.
  case stopped = 6
}

/// Where a workout session's data comes from.
public enum HKWorkoutSessionType: Int, Sendable {
  /// This device, as of every session here.
  case primary = 0
  /// Another device, which no session here is of.
  case mirrored = 1
}
