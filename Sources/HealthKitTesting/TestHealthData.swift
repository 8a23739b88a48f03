public import HealthKit

/// The health data of one subject in memory, with a clock and a calendar that a test controls.
///
/// The test prepares and inspects the data with ``store``, which has full access. The code under
/// test uses a handle from ``app(_:sheet:)``, which must request authorization as on an iPhone.
///
/// ```swift
/// let health = try TestHealthData()
/// let generator = SampleGenerator(seed: 1, calendar: health.calendar)
/// try await health.store.save(generator.steps(on: health.clock.now))
/// let app = health.app()
/// try await app.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
/// ```
public final class TestHealthData: Sendable {
  /// The store's clock, which determines the age of deletions.
  ///
  /// Code under test that reads the time must use it as well.
  public let clock: TestClock

  /// The calendar of the handles: Gregorian, by default in UTC.
  public let calendar: Calendar

  /// A handle with full access, including operations on the whole store such as compaction.
  public let store: HKHealthStore

  /// The watch that runs the workout sessions of all handles.
  public let watch: SimulatedWatch

  private let database: HealthDatabase

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - clock: The clock.
  ///   - timeZone: The subject's time zone.
  ///   - deletionRetention: The time for which deletions are retained. Compaction
  ///     drops older ones, and earlier anchors then expire.
  /// - Throws: `HKError` if the store cannot be created.
  public init(
    clock: TestClock = TestClock(), timeZone: TimeZone = .gmt,
    deletionRetention: Duration = .seconds(30 * 86_400)
  ) throws {
    var options = HKHealthStore.Options()
    options.clock = { clock.now.timeIntervalSinceReferenceDate }
    options.deletionRetention = deletionRetention
    // No background work, so that tests are deterministic.
    options.sealsInBackground = false
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    self.clock = clock
    self.calendar = calendar
    database = try HealthDatabase.inMemory(options: options)
    store = database.wholeStore()
    store.calendar = calendar
    watch = SimulatedWatch(clock: clock)
    watch.pair(with: store)
  }

  /// Returns a handle for a newly installed app, which has not requested authorization yet.
  ///
  /// - Parameters:
  ///   - source: The app; default: the running program. Use handles with different sources for
  ///     several apps.
  ///   - sheet: The answers to the app's requests; default: all are authorized.
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
