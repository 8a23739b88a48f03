public import Foundation

/// How long category samples of each value lasted in an interval, such as the stages of a night's
/// sleep.
///
/// Our addition: HealthKit's statistics are of quantities only.
/// ``HKCategoryDurationCollectionQueryDescriptor`` computes it and has the rules.
public struct HKCategoryDurations: Hashable, Sendable {
  /// The type of the samples.
  public let categoryType: HKCategoryType

  /// When the interval begins.
  public let startDate: Date

  /// When the interval ends, which is when the next one begins.
  public let endDate: Date

  /// The seconds that each value lasted, all above zero; a value that has none is missing.
  public let durations: [Int: TimeInterval]

  /// How long samples of a value lasted.
  ///
  /// - Parameter value: A value of the type's enumeration, such as
  ///   ``HKCategoryValueSleepAnalysis/asleepREM``.
  /// - Returns: The time in seconds; zero where there are no such samples.
  public func duration<Value: RawRepresentable>(
    of value: Value
  ) -> TimeInterval where Value.RawValue == Int {
    durations[value.rawValue] ?? 0
  }
}
