import Foundation
import HealthStore

extension HKStatistics {
  /// A sum over the interval of the statistics; a sum of time is at most as long as the interval.
  ///
  /// Samples of one source may overlap, such as minutes of exercise that were saved twice.
  func withinInterval(_ sum: HKQuantity?) -> HKQuantity? {
    guard let sum, let seconds = sum.number(in: .second()) else { return sum }
    let length = endDate.timeIntervalSince(startDate)
    guard seconds > length else { return sum }
    return HKQuantity(
      unit: sum.unit,
      doubleValue: HKQuantity(unit: .second(), doubleValue: length).doubleValue(for: sum.unit))
  }
}
