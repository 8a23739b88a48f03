public import Foundation
internal import SampleLog

/// Builds a workout while it goes on: collects samples, events, activities and metadata, then saves
/// the workout that they belong to.
///
/// Methods may be called from any thread. Handlers run on background threads.
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

  /// What recorded the workout.
  public let device: HKDevice?

  /// What is done, and where; a copy of its own for each caller.
  open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

  /// When collecting began; nil before.
  open var startDate: Date? { state.withLock { $0.start } }

  /// When collecting ended; nil before.
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

  /// Makes a builder that saves into a store.
  ///
  /// - Parameters:
  ///   - healthStore: Where samples and the workout go.
  ///   - configuration: What is done, and where; copied.
  ///   - device: What records it.
  public init(
    healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?
  ) {
    self.healthStore = healthStore
    self.configuration = WorkoutConfigurationValues(configuration)
    self.device = device
    state = Locked(WorkoutBuilderState())
    super.init()
  }

  /// A builder of what may have begun already.
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

  /// Takes note of samples that were added.
  func didCollect(_ samples: [HKSample]) {}

  /// Takes note of events that were added.
  func didCollectEvents() {}

  /// The statistics of the samples of a type added so far; nil when there is none.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    state.withLock { state in
      state.statistics.first { $0.type == quantityType }.map { state.object($0) }
    }
  }

  /// The seconds from the start to a date, or to the end if that is earlier, without pauses; 0
  /// before the start.
  open func elapsedTime(at date: Date) -> TimeInterval {
    state.withLock { state in
      guard let start = state.start else { return 0 }
      return WorkoutPauses(state.events).activeTime(from: start, to: min(date, state.end ?? date))
    }
  }

  /// Begins collecting.
  ///
  /// Reports `errorInvalidArgument` when it has begun before or the date is not finite.
  @preconcurrency
  open func beginCollection(
    withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.begin(startDate) }
  }

  /// Begins collecting, or throws what the form with a handler reports.
  open func beginCollection(at startDate: Date) async throws {
    try await healthStore.attempt { self.beginCollection(withStart: startDate, completion: $0) }
  }

  /// Ends collecting; samples, events, metadata and activities may still be added.
  ///
  /// Reports `errorInvalidArgument` when it has not begun or has ended before, or when the date is
  /// not finite or lies before the start.
  @preconcurrency
  open func endCollection(
    withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { try $0.end(endDate) }
  }

  /// Ends collecting, or throws what the form with a handler reports.
  open func endCollection(at endDate: Date) async throws {
    try await healthStore.attempt { self.endCollection(withEnd: endDate, completion: $0) }
  }

  /// Saves samples, those that are in the store already excepted; they will belong to the workout.
  ///
  /// Reports `errorInvalidArgument` before collecting began and after the workout was finished or
  /// discarded, and what saving reports.
  @preconcurrency
  open func add(
    _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let state = state
    healthStore.perform(completion) { store, subject, policy in
      try state.withLock { try $0.checkCollecting() }
      try store.saveNew(samples, subject: subject, policy: policy)
      let values = SampleValues(store.database.snapshot())
      try state.withLock { try $0.add(samples, values) }
      self.didCollect(samples)
    }
  }

  /// Saves samples that will belong to the workout, or throws what the form with a handler reports.
  open func addSamples(_ samples: [HKSample]) async throws {
    try await healthStore.attempt { self.add(samples, completion: $0) }
  }

  /// The builder of a series that will belong to the workout, of a route or of heartbeats; the same
  /// one each time.
  ///
  /// Finishing the workout saves what it collected, and discarding the workout discards it. Returns
  /// nil for other types, for heartbeats before collecting began, and after the workout was
  /// finished or discarded.
  open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
    let state = state
    let builder = state.withLock { $0.seriesBuilder(for: seriesType, healthStore, device) }
    // One that its own method finishes belongs to the workout as well. The state owns the builder.
    builder?.whenFinished.withLock { handler in
      handler = { [weak state] series in state?.withLock { $0.addFinished(series) } }
    }
    return builder
  }

  /// Saves the workout, with everything that was added, and makes the samples belong to it.
  ///
  /// The handler's workout is the one that was saved. Its total energy is the sum of the active
  /// energy, its distance that of the first type of distance there are samples of; strokes and
  /// flights likewise. What series builders collected is saved with it. Reports
  /// `errorInvalidArgument` before collecting has ended, after the workout was finished or
  /// discarded, and when an activity lies outside the workout; the builder can then go on.
  @preconcurrency
  open func finishWorkout(
    completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void
  ) {
    let (state, configuration, device) = (state, configuration, device)
    healthStore.write({ store, subject, policy in
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
    }) { result in
      switch result {
      case .success(let workout): completion(workout, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }

  /// Saves the workout and returns it, or throws what the form with a handler reports.
  open func finishWorkout() async throws -> HKWorkout? {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      finishWorkout { workout, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: workout)
        }
      }
    }
  }

  /// Ends building without a workout; samples that were added stay in the store.
  open func discardWorkout() {
    let builders = state.withLock { state in
      state.isFinished = true
      return state.seriesBuilders
    }
    for builder in builders { builder.discard() }
  }

  /// Changes the state and reports how that went, on a background thread.
  func change(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    then next: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (inout WorkoutBuilderState) throws -> Void
  ) {
    let state = state
    healthStore.run({
      try state.withLock { try body(&$0) }
      next()
    }) { result in
      switch result {
      case .success: completion(true, nil)
      case .failure(let error): completion(false, error)
      }
    }
  }
}
