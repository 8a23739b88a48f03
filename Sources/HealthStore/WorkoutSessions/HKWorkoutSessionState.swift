/// The state of a workout session.
public enum HKWorkoutSessionState: Int, Sendable {
  /// Created, but not started.
  case notStarted = 1
  /// Running.
  case running = 2
  /// Ended.
  case ended = 3
  /// Paused; no data are collected.
  case paused = 4
  /// Prepared: the sensors are ready.
  case prepared = 5
  /// Stopped: collected data can be completed before the session ends.
  case stopped = 6
}

/// The type of a workout session.
public enum HKWorkoutSessionType: Int, Sendable {
  /// Recorded by this device; the type of all sessions in this implementation.
  case primary = 0
  /// Mirrored from another device; not used in this implementation.
  case mirrored = 1
}
