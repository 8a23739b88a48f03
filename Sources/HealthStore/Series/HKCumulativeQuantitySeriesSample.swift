/// A quantity sample that holds several values with a sum.
///
/// Deprecated in HealthKit: queries return an `HKCumulativeQuantitySample`, whose `count` is the
/// number of values.
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
  /// The sum of the sample's values.
  open var sum: HKQuantity { sumQuantity }
}
