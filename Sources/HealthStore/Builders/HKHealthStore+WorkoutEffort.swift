import Foundation

// Relationships between workouts and samples that rate their effort.
extension HKHealthStore {
  /// Relates a sample to a workout or one of its activities as a rating of its effort, and reports
  /// whether this succeeded.
  ///
  /// The workout must be in the store; the sample is saved if it is not. Relating them again has no
  /// effect. The relationship ends when the workout or the sample is deleted; a newer version of
  /// either inherits it. Reports `errorInvalidArgument` if the sample is not an effort score, the
  /// workout is not in the store, or the activity belongs to another workout. Otherwise reports the
  /// errors of saving.
  @preconcurrency
  public func relateWorkoutEffortSample(
    _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.relate(sample, with: workout, activity, subject: subject, policy: policy)
    }
  }

  /// Relates a sample to a workout or one of its activities; returns true, or throws the errors
  /// that the completion-handler version reports.
  @discardableResult
  public func relateWorkoutEffortSample(
    _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
  ) async throws -> Bool {
    try await attempt {
      self.relateWorkoutEffortSample(sample, with: workout, activity: activity, completion: $0)
    }
    return true
  }

  /// Removes the relationship between an effort sample and a workout or one of its activities, and
  /// reports whether this succeeded.
  ///
  /// The sample remains in the store.
  ///
  /// Reports `errorInvalidArgument` if they are not related.
  @preconcurrency
  public func unrelateWorkoutEffortSample(
    _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.unrelate(sample, from: workout, activity, subject: subject, policy: policy)
    }
  }

  /// Removes the relationship between an effort sample and a workout; returns true, or throws the
  /// errors that the completion-handler version reports.
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
