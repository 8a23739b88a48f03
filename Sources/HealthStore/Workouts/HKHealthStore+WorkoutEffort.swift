import Foundation

extension HKHealthStore {
  /// Makes a sample rate the effort of a workout, or of one of its activities, and reports whether
  /// it could.
  ///
  /// The workout must be in the store; the sample is saved if it is not. Relating them again
  /// changes nothing. The relationship ends with the workout and with the sample; a newer version
  /// of either takes over. Reports `errorInvalidArgument` for a sample that is no effort score, for
  /// a workout that is not in the store, and for an activity that is none of its, and otherwise
  /// what saving reports.
  @preconcurrency
  public func relateWorkoutEffortSample(
    _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.relate(sample, with: workout, activity, subject: subject, policy: policy)
    }
  }

  /// Makes a sample rate the effort of a workout, or throws what the form with a handler reports;
  /// returns true.
  @discardableResult
  public func relateWorkoutEffortSample(
    _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
  ) async throws -> Bool {
    try await attempt {
      self.relateWorkoutEffortSample(sample, with: workout, activity: activity, completion: $0)
    }
    return true
  }

  /// Ends that a sample rates the effort of a workout or one of its activities, and reports whether
  /// it could; the sample stays.
  ///
  /// Reports `errorInvalidArgument` where they are not related.
  @preconcurrency
  public func unrelateWorkoutEffortSample(
    _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.unrelate(sample, from: workout, activity, subject: subject, policy: policy)
    }
  }

  /// Ends that a sample rates the effort of a workout, or throws what the form with a handler
  /// reports; returns true.
  @discardableResult
  public func unrelateWorkoutEffortSample(
    _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
  ) async throws -> Bool {
    try await attempt {
      self.unrelateWorkoutEffortSample(sample, from: workout, activity: activity, completion: $0)
    }
    return true
  }
}
