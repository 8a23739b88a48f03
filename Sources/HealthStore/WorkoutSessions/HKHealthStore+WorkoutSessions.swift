import Foundation

extension HKHealthStore {
  /// What records the workouts of this handle: its own, that of the default store's handles, or one
  /// that a test set.
  package var workoutDevice: WorkoutDevice {
    get {
      if case .standard = location { return .standard }
      return ownDevice.withLock { device in
        if let device { return device }
        let made = WorkoutDevice()
        device = made
        return made
      }
    }
    set { ownDevice.withLock { $0 = newValue } }
  }

  /// Starts the program on the watch to record a workout, and reports whether it could.
  ///
  /// Reports `errorHealthDataUnavailable` where no test has said what the watch's program is.
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
      WorkerPool.lend { launch(HKWorkoutConfiguration(configuration)) }
    }) { result in
      switch result {
      case .success: completion(true, nil)
      case .failure(let error): completion(false, error)
      }
    }
  }

  /// Starts the program on the watch to record a workout, or throws what the form with a handler
  /// reports.
  public func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
    try await attempt { self.startWatchApp(with: workoutConfiguration, completion: $0) }
  }

  /// Reports the session that goes on, whose object the program may have lost; none where there is
  /// none.
  ///
  /// Delegates are to be set again. What was collected is the builder's still.
  @preconcurrency
  public func recoverActiveWorkoutSession(
    completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
  ) {
    let device = workoutDevice
    WorkerPool.shared.async {
      let session = device.active.map { $0.session ?? HKWorkoutSession($0) }
      WorkerPool.lend { completion(session, nil) }
    }
  }

  /// Returns the session that goes on, as the form with a handler reports it.
  public func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      recoverActiveWorkoutSession { session, _ in continuation.resume(returning: session) }
    }
  }

  /// Is kept and never called: no session is mirrored here.
  public var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
    get { workoutDevice.mirroringHandler }
    set { workoutDevice.mirroringHandler = newValue }
  }
}

// HealthKit has deprecated these since sessions have a store and methods of their own.
extension HKHealthStore {
  /// Starts a session; its workout goes to this store if the session was made without one.
  @available(*, deprecated, message: "Use HKWorkoutSession.startActivity(with:).")
  public func start(_ workoutSession: HKWorkoutSession) {
    workoutSession.core.bind(to: self)
    workoutSession.startActivity(with: nil)
  }

  /// Ends a session.
  @available(*, deprecated, message: "Use HKWorkoutSession.end().")
  public func end(_ workoutSession: HKWorkoutSession) { workoutSession.end() }

  /// Pauses a session while it runs.
  @available(*, deprecated, message: "Use HKWorkoutSession.pause().")
  public func pause(_ workoutSession: HKWorkoutSession) { workoutSession.pause() }

  /// Resumes a session after a pause.
  @available(*, deprecated, message: "Use HKWorkoutSession.resume().")
  public func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) { workoutSession.resume() }
}
