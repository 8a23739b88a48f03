public import Foundation
import SampleLog

/// A workout that a device records while it goes on.
///
/// The device is a simulated one, which a test drives with `SimulatedWatch` of HealthKitTesting;
/// without a test it has a clock and no sensors. A device has one session at a time: starting
/// another ends the one before and calls its delegate. A session that was started goes on although
/// the program lets go of it; ``HKHealthStore/recoverActiveWorkoutSession(completion:)`` returns
/// it.
///
/// Methods may be called from any thread and return at once; the delegate is called on background
/// threads. A method that the state does not allow changes nothing and has the delegate told.
///
/// ```swift
/// let session = try HKWorkoutSession(healthStore: app, configuration: configuration)
/// session.startActivity(with: health.clock.now)
/// ```
open class HKWorkoutSession: NSObject, @unchecked Sendable {
  let core: WorkoutSessionCore
  /// The builder, once it was asked for: a session may get its store later.
  private let builder = Locked<HKLiveWorkoutBuilder?>(nil)
  private let weakDelegate = Locked(WeakDelegate())

  private struct WeakDelegate {
    weak var delegate: (any HKWorkoutSessionDelegate)?
  }

  /// Makes a session that is not started.
  ///
  /// - Parameters:
  ///   - healthStore: Where the workout goes.
  ///   - workoutConfiguration: What is done, and where; copied.
  /// - Throws: ``HKError`` with `errorInvalidArgument` for swimming without a location, and
  ///   in a pool without a lap length.
  public convenience init(
    healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration
  ) throws {
    try Self.check(workoutConfiguration)
    self.init(
      WorkoutSessionCore(healthStore, WorkoutConfigurationValues(workoutConfiguration)))
  }

  /// Makes a session that is not started and whose store is the one that starts it.
  ///
  /// - Parameters:
  ///   - activityType: The activity.
  ///   - locationType: Where it takes place.
  @available(*, deprecated, message: "Use init(healthStore:configuration:).")
  public convenience init(
    activityType: HKWorkoutActivityType, locationType: HKWorkoutSessionLocationType
  ) {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = activityType
    configuration.locationType = locationType
    self.init(WorkoutSessionCore(nil, WorkoutConfigurationValues(configuration)))
  }

  /// Makes a session that is not started and whose store is the one that starts it.
  ///
  /// - Throws: ``HKError`` as ``init(healthStore:configuration:)``.
  @available(*, deprecated, message: "Use init(healthStore:configuration:).")
  public convenience init(configuration workoutConfiguration: HKWorkoutConfiguration) throws {
    try Self.check(workoutConfiguration)
    self.init(WorkoutSessionCore(nil, WorkoutConfigurationValues(workoutConfiguration)))
  }

  /// Makes the object of a session that the device has.
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

  /// Receives what happens; a weak reference.
  open weak var delegate: (any HKWorkoutSessionDelegate)? {
    get { weakDelegate.withLock { $0.delegate } }
    set { weakDelegate.withLock { $0.delegate = newValue } }
  }

  /// What is done, and where; a copy of its own for each caller.
  open var workoutConfiguration: HKWorkoutConfiguration {
    HKWorkoutConfiguration(core.configuration)
  }

  /// What is done.
  open var activityType: HKWorkoutActivityType { core.configuration.activityType }

  /// Where it is done.
  open var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

  /// Where the session is between its start and its end.
  open var state: HKWorkoutSessionState { core.current.state }

  /// The primary one always.
  open var type: HKWorkoutSessionType { .primary }

  /// When it started; nil before.
  open var startDate: Date? { core.current.start }

  /// When it was stopped or ended; nil before.
  open var endDate: Date? { core.current.end }

  /// The activity that goes on: the one that was begun last and not ended, or else the session's
  /// own.
  open var currentActivity: HKWorkoutActivity { core.current.activity }

  /// The builder of the session's workout, the same one each time.
  open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
    builder.withLock { builder in
      if let builder { return builder }
      let made = HKLiveWorkoutBuilder(core)
      builder = made
      return made
    }
  }

  /// Has sensors warm up, before the session starts.
  open func prepare() { core.prepare() }

  /// Starts the session, now for `nil`.
  open func startActivity(with date: Date?) { core.start(at: date) }

  /// Pauses the session while it runs; nothing is collected then.
  open func pause() { core.pause() }

  /// Goes on after a pause.
  open func resume() { core.resume() }

  /// Stops the session, now for `nil`, and the activity that goes on with it; the workout can then
  /// be completed before the session ends.
  open func stopActivity(with date: Date?) { core.stop(at: date) }

  /// Ends the session.
  open func end() { core.end() }

  /// Begins an activity of the workout, and ends the one that goes on if one was begun.
  ///
  /// It is the workout's once collecting has begun.
  open func beginNewActivity(
    configuration workoutConfiguration: HKWorkoutConfiguration, date: Date,
    metadata: [String: Any]?
  ) {
    core.beginActivity(WorkoutConfigurationValues(workoutConfiguration), at: date, metadata)
  }

  /// Ends the activity that was begun.
  open func endCurrentActivity(on date: Date) { core.endActivity(at: date) }
}

extension HKWorkoutSession {
  /// Reports `errorHealthDataUnavailable`: there is no other device.
  @preconcurrency
  public func sendToRemoteWorkoutSession(
    data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    refuse(completion)
  }

  /// Throws `errorHealthDataUnavailable`: there is no other device.
  public func sendToRemoteWorkoutSession(data: Data) async throws { throw Self.noCompanion }

  /// Reports `errorHealthDataUnavailable`: there is no other device.
  @preconcurrency
  public func startMirroringToCompanionDevice(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    refuse(completion)
  }

  /// Throws `errorHealthDataUnavailable`: there is no other device.
  public func startMirroringToCompanionDevice() async throws { throw Self.noCompanion }

  /// Reports `errorHealthDataUnavailable`: there is no other device.
  @preconcurrency
  public func stopMirroringToCompanionDevice(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    refuse(completion)
  }

  /// Throws `errorHealthDataUnavailable`: there is no other device.
  public func stopMirroringToCompanionDevice() async throws { throw Self.noCompanion }

  private func refuse(_ completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    WorkerPool.shared.async { WorkerPool.lend { completion(false, Self.noCompanion) } }
  }

  private static var noCompanion: HKError {
    HKError.make(
      .errorHealthDataUnavailable, "There is no other device to mirror a workout session to.")
  }
}
