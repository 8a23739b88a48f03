import Foundation
import SampleLog

/// The state of a workout session on the device, independent of the program's objects.
package final class WorkoutSessionCore: @unchecked Sendable {
  struct State {
    var state = HKWorkoutSessionState.notStarted
    var start: Date?
    var end: Date?
    /// The session's own activity, or the latest one that was begun and has not ended.
    var activity: HKWorkoutActivity
    /// Whether the activity was begun explicitly.
    var hasBegunActivity = false
    var dataSource: HKLiveWorkoutDataSource?
    var collectsEvents = true
    weak var session: HKWorkoutSession?
  }

  /// The store and its device; those of the default store until ``bind(to:)`` is called.
  private let place: Locked<(healthStore: HKHealthStore, device: WorkoutDevice, isBound: Bool)>
  let configuration: WorkoutConfigurationValues
  let building = Locked(WorkoutBuilderState())
  private let state: Locked<State>
  /// The queue on which delegates are called, one at a time.
  private let calls = SerialWork()

  /// Creates a session for a store.
  ///
  /// If nil, its store is the one that starts it.
  init(_ healthStore: HKHealthStore?, _ configuration: WorkoutConfigurationValues) {
    let store = healthStore ?? HKHealthStore()
    let device = store.workoutDevice
    place = Locked((store, device, healthStore != nil))
    self.configuration = configuration
    state = Locked(State(activity: Self.activity(configuration, device.now)))
    device.note(self)
  }

  var healthStore: HKHealthStore { place.withLock { $0.healthStore } }
  var device: WorkoutDevice { place.withLock { $0.device } }

  /// Binds a session that was created without a store to the one that starts it.
  func bind(to healthStore: HKHealthStore) {
    let device = healthStore.workoutDevice
    let isNew = place.withLock { place in
      if place.isBound { return false }
      place = (healthStore, device, true)
      return true
    }
    if isNew { device.note(self) }
  }

  private static func activity(
    _ configuration: WorkoutConfigurationValues, _ start: Date, _ metadata: [String: Any]? = nil
  ) -> HKWorkoutActivity {
    HKWorkoutActivity(
      uuid: IdentifierSource.next(), configuration: configuration, start: start, end: nil,
      checked: metadata)
  }

  func adopt(_ session: HKWorkoutSession) { state.withLock { $0.session = session } }

  var current: State { state.withLock { $0 } }
  var session: HKWorkoutSession? { state.withLock { $0.session } }

  var dataSource: HKLiveWorkoutDataSource? {
    get { state.withLock { $0.dataSource } }
    set { state.withLock { $0.dataSource = newValue } }
  }

  var collectsEvents: Bool {
    get { state.withLock { $0.collectsEvents } }
    set { state.withLock { $0.collectsEvents = newValue } }
  }

  /// The current activity as reported by the builder.
  var activityOfBuilder: HKWorkoutActivity? {
    let current = current
    return current.start == nil || current.end != nil ? nil : current.activity
  }

  // MARK: States

  func prepare() { change(to: .prepared, from: [.notStarted], at: device.now) { _ in } }

  package func start(at date: Date? = nil) {
    let date = date ?? device.now
    change(to: .running, from: [.notStarted, .prepared], at: date) { state in
      state.start = date
      state.activity = Self.activity(configuration, date)
    }
    if current.start == date { device.begin(self) }
  }

  package func pause() {
    change(to: .paused, from: [.running], at: device.now, event: .pause) { _ in }
  }

  package func resume() {
    change(to: .running, from: [.paused], at: device.now, event: .resume) { _ in }
  }

  func stop(at date: Date? = nil) {
    let date = date ?? device.now
    change(to: .stopped, from: [.running, .paused], at: date) { state in
      endActivity(at: date, &state)
      state.end = date
    }
  }

  package func end() {
    let date = device.now
    let all: [HKWorkoutSessionState] = [.notStarted, .prepared, .running, .paused, .stopped]
    change(to: .ended, from: all, at: date) { state in
      endActivity(at: date, &state)
      if state.start != nil, state.end == nil { state.end = date }
    }
    device.end(self)
  }

  /// Ends the session because of an error, and then reports the error to the delegate.
  package func fail(_ error: any Error) {
    end()
    state.withLock { _ in deliverFailure(error) }
  }

  private func change(
    to new: HKWorkoutSessionState, from allowed: [HKWorkoutSessionState], at date: Date,
    event: HKWorkoutEventType? = nil, _ body: (inout State) -> Void
  ) {
    state.withLock { state in
      let old = state.state
      let isPossible =
        allowed.contains(old) && date.timeIntervalSinceReferenceDate.isFinite
        && state.start.map { $0 <= date } ?? true
      guard isPossible else {
        return deliverFailure(
          HKError.make(
            .errorInvalidArgument, "A session that is \(old) cannot be \(new) at \(date)."))
      }
      body(&state)
      state.state = new
      deliver { session, _ in
        session.delegate?.workoutSession(session, didChangeTo: new, from: old, date: date)
      }
      if let event { generate(HKWorkoutEvent(type: event, date: date), state.collectsEvents) }
    }
  }

  // MARK: Events and activities

  /// Generates an event if the session is active.
  package func generate(_ event: HKWorkoutEvent) {
    state.withLock { state in
      if [.running, .paused].contains(state.state) { generate(event, state.collectsEvents) }
    }
  }

  private func generate(_ event: HKWorkoutEvent, _ isCollected: Bool) {
    deliver { session, _ in session.delegate?.workoutSession(session, didGenerate: event) }
    // Before collection begins, events are not part of the workout.
    if isCollected, building.withLock({ $0.take(event) }) { deliverEvents() }
  }

  func beginActivity(
    _ configuration: WorkoutConfigurationValues, at date: Date, _ metadata: [String: Any]?
  ) {
    state.withLock { state in
      do {
        try require(state, at: date)
        let metadata = try metadata.map { try Metadata.normalized($0).values }
        endActivity(at: date, &state)
        state.activity = Self.activity(configuration, date, metadata)
        state.hasBegunActivity = true
        let activity = state.activity
        building.withLock { $0.take(activity) }
        deliver { session, builder in
          session.delegate?.workoutSession(
            session, didBeginActivityWith: activity.workoutConfiguration, date: date)
          builder.delegate?.workoutBuilder(builder, didBegin: activity)
        }
      } catch {
        deliverFailure(HKError.from(error))
      }
    }
  }

  func endActivity(at date: Date) {
    state.withLock { state in
      do {
        try require(state, at: date)
        guard state.hasBegunActivity else {
          throw HKError.make(.errorInvalidArgument, "There is no activity to end; begin one first.")
        }
        endActivity(at: date, &state)
      } catch {
        deliverFailure(HKError.from(error))
      }
    }
  }

  private func require(_ state: State, at date: Date) throws {
    guard [.running, .paused].contains(state.state),
      date.timeIntervalSinceReferenceDate.isFinite, state.activity.startDate <= date
    else {
      throw HKError.make(
        .errorInvalidArgument,
        "No activity can begin or end at \(date) in a session that is \(state.state).")
    }
  }

  private func endActivity(at date: Date, _ state: inout State) {
    guard state.hasBegunActivity else { return }
    let end = max(date, state.activity.startDate)
    let activity = state.activity.with(end: .some(end))
    building.withLock { $0.take(endOf: activity) }
    state.activity = Self.activity(configuration, state.start ?? end)
    state.hasBegunActivity = false
    deliver { session, builder in
      session.delegate?.workoutSession(
        session, didEndActivityWith: activity.workoutConfiguration, date: end)
      builder.delegate?.workoutBuilder(builder, didEnd: activity)
    }
  }

  // MARK: Samples

  /// Collects the samples that the builder selects, if the session is running.
  package func collect(_ samples: [HKSample]) async throws {
    try await healthStore.attempt { completion in
      // The device may save types that the program is not authorized to save.
      healthStore.write(reporting(to: completion)) { [self] store, subject, _ in
        let current = current
        guard current.state == .running, let source = current.dataSource,
          building.withLock({ $0.isCollecting })
        else { return }
        let wanted = try samples.filter { try source.admits($0) }
        if wanted.isEmpty { return }
        try store.saveNew(wanted, subject: subject)
        let values = SampleValues(store.database.snapshot())
        try building.withLock { try $0.add(wanted, values) }
        deliverCollected(Set(wanted.map(\.sampleType)))
      }
    }
  }

  // MARK: Delegates

  func deliverCollected(_ types: Set<HKSampleType>) {
    deliver { _, builder in builder.delegate?.workoutBuilder(builder, didCollectDataOf: types) }
  }

  func deliverEvents() {
    deliver { _, builder in builder.delegate?.workoutBuilderDidCollectEvent(builder) }
  }

  private func deliverFailure(_ error: any Error) {
    deliver { session, _ in session.delegate?.workoutSession(session, didFailWithError: error) }
  }

  /// Calls delegates after all previous calls, if the program still retains the session.
  private func deliver(
    _ call: @escaping @Sendable (HKWorkoutSession, HKLiveWorkoutBuilder) -> Void
  ) {
    calls.async { [self] in
      guard let session else { return }
      WorkerPool.blocking { call(session, session.associatedWorkoutBuilder()) }
    }
  }

  /// Waits until the delegates have been called for all events so far.
  package func settle() async {
    await withCheckedContinuation { continuation in calls.async { continuation.resume() } }
  }
}
