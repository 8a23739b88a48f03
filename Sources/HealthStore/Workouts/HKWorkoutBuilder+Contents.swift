public import Foundation

// In an extension, so that these cannot be overridden, to keep the class short.
extension HKWorkoutBuilder {
  /// Adds events, in any order.
  ///
  /// Reports `errorInvalidArgument` before collecting began and after the workout was finished or
  /// discarded.
  @preconcurrency
  public func addWorkoutEvents(
    _ workoutEvents: [HKWorkoutEvent],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion, then: didCollectEvents) { try $0.add(workoutEvents) }
  }

  /// Adds events, or throws what the form with a handler reports.
  public func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
    try await healthStore.attempt { self.addWorkoutEvents(workoutEvents, completion: $0) }
  }

  /// Adds metadata; a key that is there already gets the new value.
  ///
  /// Reports `errorInvalidArgument` for metadata that cannot be stored, and after the workout was
  /// finished or discarded.
  @preconcurrency
  public func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = SharedMetadata(metadata)
    change(completion) { try $0.add(metadata.value) }
  }

  /// Adds metadata, or throws what the form with a handler reports.
  public func addMetadata(_ metadata: [String: Any]) async throws {
    try await healthStore.attempt { self.addMetadata(metadata, completion: $0) }
  }

  /// Adds an activity, which must lie within the workout by the time that is finished; one that has
  /// no end by then ends with the workout.
  ///
  /// Reports `errorInvalidArgument` before collecting began, after the workout was finished or
  /// discarded, and for an activity that was added before.
  @preconcurrency
  public func addWorkoutActivity(
    _ workoutActivity: HKWorkoutActivity,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.add(workoutActivity) }
  }

  /// Adds an activity, or throws what the form with a handler reports.
  public func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
    try await healthStore.attempt { self.addWorkoutActivity(workoutActivity, completion: $0) }
  }

  /// Ends an activity that was added.
  ///
  /// Reports `errorInvalidArgument` when there is none of that identifier or it would end before it
  /// starts.
  @preconcurrency
  public func updateActivity(
    uuid UUID: UUID, end endDate: Date,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.updateActivity(UUID, end: endDate) }
  }

  /// Ends an activity that was added, or throws what the form with a handler reports.
  public func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
    try await healthStore.attempt { self.updateActivity(uuid: UUID, end: endDate, completion: $0) }
  }

  /// Adds metadata to an activity that was added.
  ///
  /// Reports `errorInvalidArgument` when there is none of that identifier or the metadata cannot be
  /// stored.
  @preconcurrency
  public func updateActivity(
    uuid UUID: UUID, adding metadata: [String: Any],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = SharedMetadata(metadata)
    change(completion) { try $0.updateActivity(UUID, adding: metadata.value) }
  }

  /// Adds metadata to an activity that was added, or throws what the form with a handler reports.
  public func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
    try await healthStore.attempt {
      self.updateActivity(uuid: UUID, adding: metadata, completion: $0)
    }
  }
}

/// Metadata on its way to another thread; its values never change.
struct SharedMetadata: @unchecked Sendable {
  var value: [String: Any]

  init(_ value: [String: Any] = [:]) { self.value = value }
}
