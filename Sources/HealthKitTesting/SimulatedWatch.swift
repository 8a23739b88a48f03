public import HealthKit

/// A simulated watch for tests, which control its wearer's actions and its sensors while the code
/// under test has a workout session.
///
/// It has one session at a time. Delegates are called on background threads; ``settle()`` waits for
/// them.
///
/// ```swift
/// let session = try HKWorkoutSession(healthStore: app, configuration: configuration)
/// session.startActivity(with: health.clock.now)
/// await health.watch.settle()
/// health.clock.advance(by: 60)
/// let beats = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 140)
/// try await health.watch.collect(beats, of: HKQuantityType(.heartRate))
/// health.watch.pause()
/// await health.watch.settle()
/// ```
public final class SimulatedWatch: Sendable {
  private let device = WorkoutDevice()
  private let clock: TestClock

  /// Creates a watch with a clock.
  public init(clock: TestClock) {
    self.clock = clock
    device.setClock { clock.now }
  }

  /// Runs the sessions of a handle on this watch.
  ///
  /// Handles of ``TestHealthData`` are paired already.
  public func pair(with store: HKHealthStore) { store.workoutDevice = device }

  /// Whether a session is active, even if the code under test has released it.
  public var isRecording: Bool { device.active != nil }

  /// Starts the session that was created last, as the wearer would.
  public func begin() { device.newest?.start() }

  /// Pauses the session.
  public func pause() { device.active?.pause() }

  /// Resumes the session after a pause.
  public func resume() { device.active?.resume() }

  /// Ends the session.
  public func end() { device.active?.end() }

  /// Ends the session with an error, which its delegate receives.
  public func fail(with error: any Error) { device.active?.fail(error) }

  /// Generates an event in the session, such as a lap, at the clock's time.
  public func generate(_ type: HKWorkoutEventType) {
    device.active?.generate(HKWorkoutEvent(type: type, date: clock.now))
  }

  /// Measures samples.
  ///
  /// The session's builder collects those that its data source selects.
  ///
  /// No samples are collected unless the session is running and the builder's collection has begun.
  ///
  /// - Throws: The errors of saving.
  public func collect(_ samples: [HKSample]) async throws {
    try await device.active?.collect(samples)
  }

  /// Measures a quantity that ends at the clock's time, as ``collect(_:)`` does.
  ///
  /// - Parameters:
  ///   - quantity: The quantity.
  ///   - type: The type of the quantity.
  ///   - seconds: The duration in seconds; 0 for an instantaneous sample.
  /// - Throws: `HKInvalidSampleError` if the quantity does not match the type, and the errors of
  ///   saving.
  public func collect(
    _ quantity: HKQuantity, of type: HKQuantityType, over seconds: TimeInterval = 0
  ) async throws {
    let end = clock.now
    try await collect([
      HKQuantitySample.validated(
        type: type, quantity: quantity, start: end.addingTimeInterval(-seconds), end: end,
        device: .local())
    ])
  }

  /// Sets the function that runs when `startWatchApp(toHandle:)` starts the program on the watch.
  @preconcurrency
  public func whenStarted(_ body: @escaping @Sendable (HKWorkoutConfiguration) -> Void) {
    device.launch = body
  }

  /// Waits until delegates have been called for all events so far.
  public func settle() async { await device.settle() }
}
