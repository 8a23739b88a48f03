import Foundation

extension HKHealthStore {
  /// Saves samples and makes them belong to a workout, all of them or none.
  ///
  /// The workout must be in the store. Samples that are there already are not saved again, and
  /// those that belong to the workout already are left out. Its statistics then have them, its
  /// totals and dates stay. `predicateForObjects(from:)` finds them; when a newer version replaces
  /// the workout, they belong to that. Reports `errorInvalidArgument` for a workout that is not in
  /// the store and for a sample that is not valid, and otherwise what saving reports.
  @preconcurrency
  public func add(
    _ samples: [HKSample], to workout: HKWorkout,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { store, subject, policy in
      try store.add(samples, to: workout, subject: subject, policy: policy)
    }
  }

  /// Saves samples and makes them belong to a workout, or throws what the form with a handler
  /// reports.
  public func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
    try await attempt { self.add(samples, to: workout, completion: $0) }
  }
}
