/// The statistics that a query computes.
public struct HKStatisticsOptions: OptionSet, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt

  /// Creates an option set from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Separate statistics for each source, in addition to the merged ones.
  public static let separateBySource = Self(rawValue: 1 << 0)

  /// The average of a discrete type.
  public static let discreteAverage = Self(rawValue: 1 << 1)

  /// The minimum of a discrete type.
  public static let discreteMin = Self(rawValue: 1 << 2)

  /// The maximum of a discrete type.
  public static let discreteMax = Self(rawValue: 1 << 3)

  /// The sum of a cumulative type.
  public static let cumulativeSum = Self(rawValue: 1 << 4)

  /// The most recent value.
  public static let mostRecent = Self(rawValue: 1 << 5)

  /// The total time covered by the samples.
  public static let duration = Self(rawValue: 1 << 6)

  /// A private option: a sum of durations counts overlapping time once, even across sources.
  package static let timeCountsOnce = Self(rawValue: 1 << 31)

  /// Returns the options for the sum of a cumulative type.
  ///
  /// If the type measures time, overlapping time counts once.
  package static func sum(of type: HKQuantityType) -> Self {
    type.is(compatibleWith: .second()) ? [.cumulativeSum, .timeCountsOnce] : .cumulativeSum
  }

  /// The former name of ``mostRecent``.
  public static var discreteMostRecent: Self { .mostRecent }
}
