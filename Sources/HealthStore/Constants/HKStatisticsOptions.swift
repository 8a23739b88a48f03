/// What a statistics query computes.
public struct HKStatisticsOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Makes options from bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Everything also for each source.
  public static let separateBySource = Self(rawValue: 1 << 0)

  /// The average of a discrete type.
  public static let discreteAverage = Self(rawValue: 1 << 1)

  /// The least value of a discrete type.
  public static let discreteMin = Self(rawValue: 1 << 2)

  /// The greatest value of a discrete type.
  public static let discreteMax = Self(rawValue: 1 << 3)

  /// The sum of a cumulative type.
  public static let cumulativeSum = Self(rawValue: 1 << 4)

  /// The newest value.
  public static let mostRecent = Self(rawValue: 1 << 5)

  /// The time that the samples cover together.
  public static let duration = Self(rawValue: 1 << 6)

  /// Sums of time in which a moment counts once, whichever samples and sources it is in; ours.
  package static let timeCountsOnce = Self(rawValue: 1 << 31)

  /// The sum of a cumulative type, in which time counts once if it is one of time; ours.
  package static func sum(of type: HKQuantityType) -> Self {
    type.is(compatibleWith: .second()) ? [.cumulativeSum, .timeCountsOnce] : .cumulativeSum
  }

  /// The old name of ``mostRecent``.
  public static var discreteMostRecent: Self { .mostRecent }
}
