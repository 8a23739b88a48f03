import Foundation

/// What all objects of one type share, made once per identifier.
///
/// Two type objects are equal when they point at the same `TypeInfo`, so comparing and hashing
/// never look at the identifier's characters.
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

/// How short and how long a sample of a type may be, in seconds.
struct DurationLimits: Sendable {
  var minimum: TimeInterval?
  var maximum: TimeInterval?

  static let none = DurationLimits()

  /// The four days that HealthKit's error messages name.
  static let fourDays = DurationLimits(maximum: 345_600)
}
