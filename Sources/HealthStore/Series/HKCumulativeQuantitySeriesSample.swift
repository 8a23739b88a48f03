/// A quantity sample that stands for several values that add up.
///
/// Deprecated in HealthKit: queries return an `HKCumulativeQuantitySample`, whose `count` tells how
/// many values it stands for.
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
  /// The sum of the sample's values.
  open var sum: HKQuantity { sumQuantity }
}
