public import HealthKit

/// One person's health data in memory, with a clock and a calendar that a test sets.
///
/// The test prepares and looks at the data with ``store``, which may do everything, and gives the
/// code under test what ``app(_:sheet:)`` returns, which has to ask for permission as on an iPhone.
///
/// ```swift
/// let health = try TestHealthData()
/// let generator = SampleGenerator(seed: 1, calendar: health.calendar)
/// try await health.store.save(generator.steps(on: health.clock.now))
/// let app = health.app()
/// try await app.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
/// ```
public final class TestHealthData: Sendable {
  /// What the store takes for the time now: when deletions are old enough to be forgotten.
  ///
  /// Code under test must be given it as well, where it asks for the time.
  public let clock: TestClock

  /// What the handles count days in: Gregorian, UTC unless given.
  public let calendar: Calendar

  /// Sees and may do everything.
  public let store: HKHealthStore

  /// What workout sessions of all handles run on.
  public let watch: SimulatedWatch

  private let database: HealthDatabase

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - clock: The time.
  ///   - timeZone: Where the person lives.
  ///   - deletionRetention: How long deletions are remembered, in seconds; compacting forgets older
  ///     ones, and anchors from before then expire.
  /// - Throws: `HKError` when the store cannot be made.
  public init(
    clock: TestClock = TestClock(), timeZone: TimeZone = .gmt,
    deletionRetention: TimeInterval = 30 * 86_400
  ) throws {
    var options = HKHealthStore.Options()
    options.clock = { clock.now.timeIntervalSinceReferenceDate }
    options.deletionRetention = deletionRetention
    // Nothing happens but what the test does.
    options.sealsInBackground = false
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    self.clock = clock
    self.calendar = calendar
    database = try HealthDatabase.inMemory(options: options)
    store = database.store()
    store.calendar = calendar
    watch = SimulatedWatch(clock: clock)
    watch.pair(with: store)
  }

  /// Returns a handle as an app has it after its installation: nobody was asked for permission.
  ///
  /// - Parameters:
  ///   - source: The app; the running program unless given. Two apps are two handles with two
  ///     sources.
  ///   - sheet: Answers the app's requests; grants everything unless given.
  /// - Returns: The handle.
  public func app(
    _ source: HKSource = .default(), sheet: AuthorizationSheet = AuthorizationSheet()
  ) -> HKHealthStore {
    let app = database.store()
    app.calendar = calendar
    watch.pair(with: app)
    app.authorization = AuthorizationPolicy(source: source) { try sheet.answer($0) }
    return app
  }
}
