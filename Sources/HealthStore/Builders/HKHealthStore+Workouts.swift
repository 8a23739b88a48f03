import Foundation

// Adds samples to a stored workout.
extension HKHealthStore {
  /// Saves samples and associates them with a workout, atomically.
  ///
  /// The workout must be in the store. Samples that are already stored are not saved again, and
  /// samples that already belong to the workout are ignored. The workout's statistics then include
  /// the samples; its totals and dates do not change. `predicateForObjects(from:)` matches them,
  /// and a newer version of the workout inherits them. Reports `errorInvalidArgument` if the
  /// workout is not in the store or a sample is invalid. Otherwise reports the errors of saving.
  @preconcurrency
  public func add(
    _ samples: [HKSample], to workout: HKWorkout,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.add(samples, to: workout, subject: subject, policy: policy)
    }
  }

  /// Saves samples and associates them with a workout, or throws the errors that the
  /// completion-handler version reports.
  public func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
    try await attempt { self.add(samples, to: workout, completion: $0) }
  }
}
