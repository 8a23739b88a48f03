/// A histogram of durations.
public struct LatencyHistogram: Hashable, Sendable {
  /// The inclusive upper bound of each bucket, in seconds.
  ///
  /// A last bucket without a bound follows.
  public static let bounds: [Double] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1, 2.5, 5,
  ]

  /// The number of durations in each bucket.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// The sum of all durations, in seconds.
  public private(set) var totalSeconds = 0.0

  /// Creates an empty histogram.
  public init() {}

  /// The number of recorded durations.
  public var count: Int { counts.reduce(0, +) }

  /// Records a duration in seconds.
  package mutating func add(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    totalSeconds += seconds
  }

  /// Records the time elapsed since an instant.
  mutating func add(since start: ContinuousClock.Instant) {
    add(Database.seconds(since: start))
  }
}

/// The activity of a writing handle since it was opened.
public struct StoreActivity: Hashable, Sendable {
  /// The number of acknowledged commits.
  public internal(set) var commitCount = 0
  /// The number of records in these commits: samples, deletions and settings, including child rows
  /// of samples.
  public internal(set) var recordCount = 0
  /// The time taken to write groups of commits to the log.
  ///
  /// The count is the number of writes; each includes one sync, unless every commit of the group
  /// was buffered.
  public internal(set) var writes = LatencyHistogram()
  /// The time taken to seal a log as a segment.
  public internal(set) var sealings = LatencyHistogram()
  /// The time taken to merge segments, including background merges.
  public internal(set) var merges = LatencyHistogram()

  /// Creates an activity record with all counts zero.
  init() {}
}
