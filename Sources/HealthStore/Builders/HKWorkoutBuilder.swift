public import Foundation
internal import SampleLog

/// Builds a workout in progress: collects samples, events, activities and metadata, then saves them
/// as a workout.
///
/// Methods may be called from any thread. Handlers are called on background threads.
///
/// ```swift
/// let configuration = HKWorkoutConfiguration()
/// configuration.activityType = .running
/// let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
/// try await builder.beginCollection(at: start)
/// try await builder.addSamples(samples)
/// try await builder.endCollection(at: end)
/// let finished = try await builder.finishWorkout()
/// ```
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
  let healthStore: HKHealthStore
  let configuration: WorkoutConfigurationValues
  let state: Locked<WorkoutBuilderState>

  /// The device that records the workout.
  public let device: HKDevice?

  /// The activity type and location; each access returns a new copy.
  open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

  /// The start of collection, or nil if it has not begun.
  open var startDate: Date? { state.withLock { $0.start } }

  /// The end of collection, or nil if it has not ended.
  open var endDate: Date? { state.withLock { $0.end } }

  /// The metadata added so far.
  open var metadata: [String: Any] { state.withLock { $0.metadata.value } }

  /// The events added so far, by date.
  open var workoutEvents: [HKWorkoutEvent] { state.withLock { $0.events } }

  /// The activities added so far.
  open var workoutActivities: [HKWorkoutActivity] { state.withLock { $0.activities } }

  /// The statistics of the samples added so far, by type.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    state.withLock { state in
      Dictionary(
        uniqueKeysWithValues: state.statistics.map { ($0.type, state.object($0)) })
    }
  }

  /// Creates a builder that saves to a store.
  ///
  /// - Parameters:
  ///   - healthStore: The store that receives the samples and the workout.
  ///   - configuration: The activity type and location; copied.
  ///   - device: The device that records the workout.
  public init(
    healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?
  ) {
    self.healthStore = healthStore
    self.configuration = WorkoutConfigurationValues(configuration)
    self.device = device
    state = Locked(WorkoutBuilderState())
    super.init()
  }

  /// Creates a builder with an existing state.
  init(
    _ healthStore: HKHealthStore, _ configuration: WorkoutConfigurationValues, _ device: HKDevice?,
    _ state: Locked<WorkoutBuilderState>
  ) {
    self.healthStore = healthStore
    self.configuration = configuration
    self.device = device
    self.state = state
    super.init()
  }

  /// Called after samples were added.
  func didCollect(_ samples: [HKSample]) {}

  /// Called after events were added.
  func didCollectEvents() {}

  /// Returns the statistics of the samples of a type added so far, or nil if there are none.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    state.withLock { state in
      state.statistics.first { $0.type == quantityType }.map { state.object($0) }
    }
  }

  /// Returns the time from the start to a date, or to the end if that is earlier, in seconds and
  /// without pauses.
  ///
  /// Returns 0 before the start.
  open func elapsedTime(at date: Date) -> TimeInterval {
    state.withLock { state in
      guard let start = state.start else { return 0 }
      return WorkoutPauses(state.events).activeTime(from: start, to: min(date, state.end ?? date))
    }
  }

  /// Begins collection.
  ///
  /// Reports `errorInvalidArgument` if collection has already begun or the date is not finite.
  @preconcurrency
  open func beginCollection(
    withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.begin(startDate) }
  }

  /// Begins collection, or throws the errors that the completion-handler version reports.
  open func beginCollection(at startDate: Date) async throws {
    try await healthStore.attempt { self.beginCollection(withStart: startDate, completion: $0) }
  }

  /// Ends collection.
  ///
  /// Samples, events, metadata and activities may still be added.
  ///
  /// Reports `errorInvalidArgument` if collection has not begun or has already ended, or if the
  /// date is not finite or before the start.
  @preconcurrency
  open func endCollection(
    withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.end(endDate) }
  }

  /// Ends collection, or throws the errors that the completion-handler version reports.
  open func endCollection(at endDate: Date) async throws {
    try await healthStore.attempt { self.endCollection(withEnd: endDate, completion: $0) }
  }

  /// Saves samples and associates them with the workout.
  ///
  /// Samples that are already stored are not saved again.
  ///
  /// Reports `errorInvalidArgument` before collection begins and after the workout is finished or
  /// discarded. Otherwise reports the errors of saving.
  @preconcurrency
  open func add(
    _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let state = state
    healthStore.write(reporting(to: completion)) { store, subject, policy in
      try state.withLock { try $0.checkCollecting() }
      try store.saveNew(samples, subject: subject, policy: policy)
      let values = SampleValues(store.database.snapshot())
      try state.withLock { try $0.add(samples, values) }
      self.didCollect(samples)
    }
  }

  /// Saves samples for the workout, or throws the errors that the completion-handler version
  /// reports.
  open func addSamples(_ samples: [HKSample]) async throws {
    try await healthStore.attempt { self.add(samples, completion: $0) }
  }

  /// Returns the builder of the workout's route or heartbeat series; the same builder each time.
  ///
  /// Finishing the workout saves the data that the series builder collected; discarding the workout
  /// discards it. Returns nil for other types, for heartbeats before collection begins, and after
  /// the workout is finished or discarded.
  open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
    let state = state
    let builder = state.withLock { $0.seriesBuilder(for: seriesType, healthStore, device) }
    // A series finished by its own builder belongs to the workout as well. The reference is weak
    // because the state owns the builder.
    builder?.whenFinished.withLock { handler in
      handler = { [weak state] series in state?.withLock { $0.addFinished(series) } }
    }
    return builder
  }

  /// Saves the workout with all data that was added, and associates the samples with it.
  ///
  /// The handler receives the saved workout. Its total energy is the sum of the active energy; its
  /// distance is that of the first distance type that has samples; strokes and flights are computed
  /// in the same way. Unfinished series builders are saved with it. Reports `errorInvalidArgument`
  /// before collection ends, after the workout is finished or discarded, and if an activity lies
  /// outside the workout. After an error the builder remains usable.
  @preconcurrency
  open func finishWorkout(
    completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void
  ) {
    let (state, configuration, device) = (state, configuration, device)
    healthStore.write({ completion($0.success, $0.failure) }) { store, subject, policy in
      let revision = policy?.sourceRevision ?? .current
      let series = try WorkoutSeries(state.withLock { $0.seriesBuilders })
      let values = SampleValues(store.database.snapshot())
      do {
        let built = try state.withLock {
          try $0.finish(configuration, device, revision, series.samples, values)
        }
        let workout = HKWorkout(built: built)
        do {
          try store.save(series.samples + [workout], subject: subject, policy: policy)
        } catch {
          state.withLock { $0.isFinished = false }
          throw error
        }
        series.end(successfully: true)
        return workout
      } catch {
        series.end(successfully: false)
        throw error
      }
    }
  }

  /// Saves the workout and returns it, or throws the errors that the completion-handler version
  /// reports.
  open func finishWorkout() async throws -> HKWorkout? {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      finishWorkout { workout, error in continuation.resume(.some(workout), error) }
    }
  }

  /// Discards the workout.
  ///
  /// Samples that were added stay in the store.
  open func discardWorkout() {
    let builders = state.withLock { state in
      state.isFinished = true
      return state.seriesBuilders
    }
    for builder in builders { builder.discard() }
  }

  /// Changes the state and reports the result on a background thread.
  func change(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    then next: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (inout WorkoutBuilderState) throws -> Void
  ) {
    let state = state
    healthStore.run({
      try state.withLock { try body(&$0) }
      next()
    }) { completion($0.failure == nil, $0.failure) }
  }
}
