public import Foundation

/// The durations of category samples by value in one interval, such as the stages of a night's
/// sleep.
///
/// This is an addition: HealthKit computes statistics of quantities only.
/// ``HKCategoryDurationCollectionQueryDescriptor`` computes these values and documents the rules.
public struct HKCategoryDurations: Hashable, Sendable {
  /// The type of the samples.
  public let categoryType: HKCategoryType

  /// The start of the interval.
  public let startDate: Date

  /// The end of the interval, which is the start of the next one.
  public let endDate: Date

  /// The duration of each value, in seconds.
  ///
  /// All durations are positive; values without any are missing.
  public let durations: [Int: TimeInterval]

  /// Returns the duration of samples with a value.
  ///
  /// - Parameter value: A value of the type's enumeration, such as
  ///   ``HKCategoryValueSleepAnalysis/asleepREM``.
  /// - Returns: The time in seconds, or zero if there are no such samples.
  public func duration<Value: RawRepresentable>(
    of value: Value
  ) -> TimeInterval where Value.RawValue == Int {
    durations[value.rawValue] ?? 0
  }
}
