import Foundation

// Workout sessions of a store object.
extension HKHealthStore {
  /// The device that records the workouts of this handle: shared by all handles of the default
  /// store, otherwise one per handle unless a test sets another.
  package var workoutDevice: WorkoutDevice {
    get {
      if case .standard = location { return .standard }
      return ownDevice.withLock { device in
        if let device = device as? WorkoutDevice { return device }
        let made = WorkoutDevice()
        device = made
        return made
      }
    }
    set { ownDevice.withLock { $0 = newValue } }
  }

  /// Starts the program on the watch to record a workout, and reports whether this succeeded.
  ///
  /// Reports `errorHealthDataUnavailable` unless a test has set the watch's program.
  @preconcurrency
  public func startWatchApp(
    with workoutConfiguration: HKWorkoutConfiguration,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let configuration = WorkoutConfigurationValues(workoutConfiguration)
    let device = workoutDevice
    run({
      guard let launch = device.launch else {
        throw HKError.make(.errorHealthDataUnavailable, "There is no watch to start a program on.")
      }
      WorkerPool.blocking { launch(HKWorkoutConfiguration(configuration)) }
    }) { completion($0.failure == nil, $0.failure) }
  }

  /// Starts the program on the watch to record a workout, or throws the errors that the
  /// completion-handler version reports.
  public func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
    try await attempt { self.startWatchApp(with: workoutConfiguration, completion: $0) }
  }

  /// Reports the active session, which continues even if the program released its object, or nil if
  /// there is none.
  ///
  /// Delegates must be set again. The session's builder retains the collected data.
  @preconcurrency
  public func recoverActiveWorkoutSession(
    completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
  ) {
    let device = workoutDevice
    WorkerPool.shared.async {
      let session = device.active.map { $0.session ?? HKWorkoutSession($0) }
      WorkerPool.blocking { completion(session, nil) }
    }
  }

  /// Returns the active session, or nil if there is none.
  public func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      recoverActiveWorkoutSession { session, _ in continuation.resume(returning: session) }
    }
  }

  /// The handler for mirrored sessions.
  ///
  /// It is stored but never called, because sessions are not mirrored.
  public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
    get { workoutDevice.mirroringHandler }
    set { workoutDevice.mirroringHandler = newValue }
  }
}

// HealthKit has deprecated these methods since sessions have a store and their own methods.
extension HKHealthStore {
  /// Starts a session.
  ///
  /// If it was created without a store, its workout is saved in this one.
  @available(*, deprecated, message: "Use HKWorkoutSession.startActivity(with:).")
  public func start(_ workoutSession: HKWorkoutSession) {
    workoutSession.core.bind(to: self)
    workoutSession.startActivity(with: nil)
  }

  /// Ends a session.
  @available(*, deprecated, message: "Use HKWorkoutSession.end().")
  public func end(_ workoutSession: HKWorkoutSession) { workoutSession.end() }

  /// Pauses a running session.
  @available(*, deprecated, message: "Use HKWorkoutSession.pause().")
  public func pause(_ workoutSession: HKWorkoutSession) { workoutSession.pause() }

  /// Resumes a paused session.
  @available(*, deprecated, message: "Use HKWorkoutSession.resume().")
  public func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) { workoutSession.resume() }
}
