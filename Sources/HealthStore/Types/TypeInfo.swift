import Foundation

/// The properties shared by all objects of one type, created once per identifier.
///
/// Type objects are equal if they reference the same `TypeInfo`, so comparing and hashing never
/// read the identifier.
final class TypeInfo: Sendable {
  let identifier: String
  let hash: Int
  let limits: DurationLimits
  let aggregationStyle: HKQuantityAggregationStyle
  let canonicalUnit: HKUnit?
  let categoryValues: ClosedRange<Int>

  init(
    _ identifier: String,
    limits: DurationLimits = .none,
    aggregationStyle: HKQuantityAggregationStyle = .discreteArithmetic,
    canonicalUnit: HKUnit? = nil,
    categoryValues: ClosedRange<Int> = 0...0
  ) {
    self.identifier = identifier
    self.hash = identifier.hashValue
    self.limits = limits
    self.aggregationStyle = aggregationStyle
    self.canonicalUnit = canonicalUnit
    self.categoryValues = categoryValues
  }
}

/// The minimum and maximum duration of samples of a type, in seconds.
struct DurationLimits: Sendable {
  var minimum: TimeInterval?
  var maximum: TimeInterval?

  static let none = DurationLimits()

  /// Four days, the limit in HealthKit's error messages.
  static let fourDays = DurationLimits(maximum: 345_600)
}
