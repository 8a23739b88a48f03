public import HealthKit

/// A watch that a test drives: what its wearer does and its sensors measure while code under test
/// has a workout session.
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

  /// Makes a watch whose time is a clock's.
  public init(clock: TestClock) {
    self.clock = clock
    device.setClock { clock.now }
  }

  /// Has the sessions of a handle run on the watch; those of ``TestHealthData`` do so already.
  public func pair(with store: HKHealthStore) { store.workoutDevice = device }

  /// Whether a session goes on, also one that the code under test has let go of.
  public var isRecording: Bool { device.active != nil }

  /// Starts the session that was made last, as its wearer does.
  public func begin() { device.newest?.start() }

  /// Pauses the session.
  public func pause() { device.active?.pause() }

  /// Goes on with the session after a pause.
  public func resume() { device.active?.resume() }

  /// Ends the session.
  public func end() { device.active?.end() }

  /// Ends the session because of an error, which its delegate gets.
  public func fail(with error: any Error) { device.active?.fail(error) }

  /// Has an event happen in the session, such as a lap, at the clock's time.
  public func generate(_ type: HKWorkoutEventType) {
    device.active?.generate(HKWorkoutEvent(type: type, date: clock.now))
  }

  /// Measures samples, of which the session's builder collects those that its data source wants.
  ///
  /// Nothing is collected unless the session runs and its builder's collection has begun.
  ///
  /// - Throws: What saving throws.
  public func collect(_ samples: [HKSample]) async throws {
    try await device.active?.collect(samples)
  }

  /// Measures a quantity that ends at the clock's time, as ``collect(_:)`` does.
  ///
  /// - Parameters:
  ///   - quantity: How much.
  ///   - type: Of what.
  ///   - seconds: How long it took; 0 for a moment.
  /// - Throws: `HKInvalidSampleError` for a quantity of another kind, and what saving throws.
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

  /// Says what the program on the watch does when `startWatchApp(toHandle:)` starts it.
  @preconcurrency
  public func whenStarted(_ body: @escaping @Sendable (HKWorkoutConfiguration) -> Void) {
    device.launch = body
  }

  /// Waits until delegates were called for all that happened by now.
  public func settle() async { await device.settle() }
}
