public import Foundation

// In an extension, so that subclasses cannot override these methods.
extension HKWorkoutBuilder {
  /// Adds events, in any order.
  ///
  /// Reports `errorInvalidArgument` before collection begins and after the workout is finished or
  /// discarded.
  @preconcurrency
  public func addWorkoutEvents(
    _ workoutEvents: [HKWorkoutEvent],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion, then: didCollectEvents) { try $0.add(workoutEvents) }
  }

  /// Adds events, or throws the errors that the completion-handler version reports.
  public func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
    try await healthStore.attempt { self.addWorkoutEvents(workoutEvents, completion: $0) }
  }

  /// Adds metadata.
  ///
  /// The new values replace those of existing keys.
  ///
  /// Reports `errorInvalidArgument` if the metadata cannot be stored, and after the workout is
  /// finished or discarded.
  @preconcurrency
  public func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = SharedMetadata(metadata)
    change(completion) { try $0.add(metadata.value) }
  }

  /// Adds metadata, or throws the errors that the completion-handler version reports.
  public func addMetadata(_ metadata: [String: Any]) async throws {
    try await healthStore.attempt { self.addMetadata(metadata, completion: $0) }
  }

  /// Adds an activity.
  ///
  /// It must lie within the workout when that is finished; an activity without an end then ends
  /// with the workout.
  ///
  /// Reports `errorInvalidArgument` before collection begins, after the workout is finished or
  /// discarded, and if the activity was already added.
  @preconcurrency
  public func addWorkoutActivity(
    _ workoutActivity: HKWorkoutActivity,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.add(workoutActivity) }
  }

  /// Adds an activity, or throws the errors that the completion-handler version reports.
  public func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
    try await healthStore.attempt { self.addWorkoutActivity(workoutActivity, completion: $0) }
  }

  /// Ends an activity of the builder.
  ///
  /// Reports `errorInvalidArgument` if no activity has the identifier or the end is before its
  /// start.
  @preconcurrency
  public func updateActivity(
    uuid UUID: UUID, end endDate: Date,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.updateActivity(UUID, end: endDate) }
  }

  /// Ends an activity, or throws the errors that the completion-handler version reports.
  public func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
    try await healthStore.attempt { self.updateActivity(uuid: UUID, end: endDate, completion: $0) }
  }

  /// Adds metadata to an activity of the builder.
  ///
  /// Reports `errorInvalidArgument` if no activity has the identifier or the metadata cannot be
  /// stored.
  @preconcurrency
  public func updateActivity(
    uuid UUID: UUID, adding metadata: [String: Any],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = SharedMetadata(metadata)
    change(completion) { try $0.updateActivity(UUID, adding: metadata.value) }
  }

  /// Adds metadata to an activity, or throws the errors that the completion-handler version
  /// reports.
  public func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
    try await healthStore.attempt {
      self.updateActivity(uuid: UUID, adding: metadata, completion: $0)
    }
  }
}

/// A box for passing immutable metadata to another thread.
struct SharedMetadata: @unchecked Sendable {
  var value: [String: Any]

  init(_ value: [String: Any] = [:]) { self.value = value }
}
