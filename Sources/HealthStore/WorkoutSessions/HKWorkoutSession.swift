public import Foundation
import SampleLog

/// A session in which a device records a workout.
///
/// The device is simulated. Tests control it with `SimulatedWatch` of HealthKitTesting; otherwise
/// it has a clock and no sensors. A device has one session at a time: starting another ends the
/// previous session and notifies its delegate. A started session continues even if the program
/// releases it; ``HKHealthStore/recoverActiveWorkoutSession(completion:)`` returns it.
///
/// Methods may be called from any thread and return immediately; the delegate is called on
/// background threads. A method that is not valid in the current state has no effect and is
/// reported to the delegate.
///
/// ```swift
/// let session = try HKWorkoutSession(healthStore: app, configuration: configuration)
/// session.startActivity(with: health.clock.now)
/// ```
open class HKWorkoutSession: NSObject, @unchecked Sendable {
  let core: WorkoutSessionCore
  /// The builder, created on first use because the session may receive its store later.
  private let builder = Locked<HKLiveWorkoutBuilder?>(nil)
  private let weakDelegate = Locked(WeakDelegate())

  private struct WeakDelegate {
    weak var delegate: (any HKWorkoutSessionDelegate)?
  }

  /// Creates a session that is not started.
  ///
  /// - Parameters:
  ///   - healthStore: The store that receives the workout.
  ///   - workoutConfiguration: The activity type and location; copied.
  /// - Throws: ``HKError`` with `errorInvalidArgument` for swimming without a location, and for
  ///   pool swimming without a lap length.
  public convenience init(
    healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration
  ) throws {
    try Self.check(workoutConfiguration)
    self.init(
      WorkoutSessionCore(healthStore, WorkoutConfigurationValues(workoutConfiguration)))
  }

  /// Creates a session that is not started.
  ///
  /// Its store is the one that starts it.
  ///
  /// - Parameters:
  ///   - activityType: The activity.
  ///   - locationType: The kind of location.
  @available(*, deprecated, message: "Use init(healthStore:configuration:).")
  public convenience init(
    activityType: HKWorkoutActivityType, locationType: HKWorkoutSessionLocationType
  ) {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = activityType
    configuration.locationType = locationType
    self.init(WorkoutSessionCore(nil, WorkoutConfigurationValues(configuration)))
  }

  /// Creates a session that is not started.
  ///
  /// Its store is the one that starts it.
  ///
  /// - Throws: ``HKError`` as ``init(healthStore:configuration:)``.
  @available(*, deprecated, message: "Use init(healthStore:configuration:).")
  public convenience init(configuration workoutConfiguration: HKWorkoutConfiguration) throws {
    try Self.check(workoutConfiguration)
    self.init(WorkoutSessionCore(nil, WorkoutConfigurationValues(workoutConfiguration)))
  }

  /// Creates an object for a session of the device.
  init(_ core: WorkoutSessionCore) {
    self.core = core
    super.init()
    core.adopt(self)
  }

  private static func check(_ configuration: HKWorkoutConfiguration) throws {
    guard configuration.activityType == .swimming else { return }
    let location = configuration.swimmingLocationType
    guard location != .unknown, location != .pool || configuration.lapLength != nil else {
      throw HKError.make(
        .errorInvalidArgument, "Swimming needs a swimming location, and in a pool a lap length.")
    }
  }

  /// The delegate, which is notified of events; a weak reference.
  open weak var delegate: (any HKWorkoutSessionDelegate)? {
    get { weakDelegate.withLock { $0.delegate } }
    set { weakDelegate.withLock { $0.delegate = newValue } }
  }

  /// The activity type and location; each access returns a new copy.
  open var workoutConfiguration: HKWorkoutConfiguration {
    HKWorkoutConfiguration(core.configuration)
  }

  /// The activity type.
  open var activityType: HKWorkoutActivityType { core.configuration.activityType }

  /// The kind of location.
  open var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

  /// The state of the session.
  open var state: HKWorkoutSessionState { core.current.state }

  /// The type of the session; always primary.
  open var type: HKWorkoutSessionType { .primary }

  /// The start of the session, or nil before it starts.
  open var startDate: Date? { core.current.start }

  /// The date when the session was stopped or ended, or nil before.
  open var endDate: Date? { core.current.end }

  /// The current activity: the latest one that was begun and has not ended, or else the session's
  /// own.
  open var currentActivity: HKWorkoutActivity { core.current.activity }

  /// Returns the builder of the session's workout; the same builder each time.
  open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
    builder.withLock { builder in
      if let builder { return builder }
      let made = HKLiveWorkoutBuilder(core)
      builder = made
      return made
    }
  }

  /// Prepares the sensors before the session starts.
  open func prepare() { core.prepare() }

  /// Starts the session, at the current time for nil.
  open func startActivity(with date: Date?) { core.start(at: date) }

  /// Pauses the running session.
  ///
  /// No data are collected until it resumes.
  open func pause() { core.pause() }

  /// Resumes the paused session.
  open func resume() { core.resume() }

  /// Stops the session and its current activity, at the current time for nil.
  ///
  /// The workout can then be completed before the session ends.
  open func stopActivity(with date: Date?) { core.stop(at: date) }

  /// Ends the session.
  open func end() { core.end() }

  /// Begins an activity of the workout, and ends the current one if one was begun.
  ///
  /// The activity is part of the workout only if collection has begun.
  open func beginNewActivity(
    configuration workoutConfiguration: HKWorkoutConfiguration, date: Date,
    metadata: [String: Any]?
  ) {
    core.beginActivity(WorkoutConfigurationValues(workoutConfiguration), at: date, metadata)
  }

  /// Ends the current activity.
  open func endCurrentActivity(on date: Date) { core.endActivity(at: date) }
}

extension HKWorkoutSession {
  /// Reports `errorHealthDataUnavailable`, because there is no remote device.
  @preconcurrency
  public func sendToRemoteWorkoutSession(
    data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    refuse(completion)
  }

  /// Throws `errorHealthDataUnavailable`, because there is no remote device.
  public func sendToRemoteWorkoutSession(data: Data) async throws { throw Self.noCompanion }

  /// Reports `errorHealthDataUnavailable`, because there is no remote device.
  @preconcurrency
  public func startMirroringToCompanionDevice(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    refuse(completion)
  }

  /// Throws `errorHealthDataUnavailable`, because there is no remote device.
  public func startMirroringToCompanionDevice() async throws { throw Self.noCompanion }

  /// Reports `errorHealthDataUnavailable`, because there is no remote device.
  @preconcurrency
  public func stopMirroringToCompanionDevice(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    refuse(completion)
  }

  /// Throws `errorHealthDataUnavailable`, because there is no remote device.
  public func stopMirroringToCompanionDevice() async throws { throw Self.noCompanion }

  private func refuse(_ completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    WorkerPool.shared.async { WorkerPool.blocking { completion(false, Self.noCompanion) } }
  }

  private static var noCompanion: HKError {
    HKError.make(
      .errorHealthDataUnavailable, "There is no other device to mirror a workout session to.")
  }
}
