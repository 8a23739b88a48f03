/// How long something took each time, counted in steps.
public struct LatencyHistogram: Hashable, Sendable {
  /// The longest time of each step, in seconds; the last step has everything longer than these.
  public static let bounds: [Double] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1, 2.5, 5,
  ]

  /// How often it took no longer than the bound of a step and longer than that of the step before.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// How long it took altogether, in seconds.
  public private(set) var totalSeconds = 0.0

  /// Creates one in which nothing is counted yet.
  public init() {}

  /// How often it happened.
  public var count: Int { counts.reduce(0, +) }

  /// Counts one time of so many seconds.
  package mutating func add(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    totalSeconds += seconds
  }

  /// Counts the time since a moment.
  mutating func add(since start: ContinuousClock.Instant) {
    add(Database.seconds(since: start))
  }
}

/// What a handle that writes has done since it was opened.
public struct StoreActivity: Hashable, Sendable {
  /// Commits that were acknowledged.
  public internal(set) var commitCount = 0
  /// Samples, deletions and settings in them, rows that belong to samples included.
  public internal(set) var recordCount = 0
  /// How long it took to write commits to the log, those that came together once: their count is
  /// that of writes, each with one sync unless none of the commits was to be durable.
  public internal(set) var writes = LatencyHistogram()
  /// How long it took to make a segment of a log.
  public internal(set) var sealings = LatencyHistogram()
  /// How long it took to merge segments, those in the background included.
  public internal(set) var merges = LatencyHistogram()

  /// Nothing was done yet.
  init() {}
}
