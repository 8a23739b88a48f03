public import Foundation

/// A sample that holds a quantity, such as a heart rate or a number of steps.
///
/// `HKQuantitySample(type:…)` makes an `HKCumulativeQuantitySample` or an
/// `HKDiscreteQuantitySample`, as the type's aggregation style says.
///
/// ```swift
/// let beat = HKQuantitySample(
///   type: HKQuantityType(.heartRate),
///   quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 62),
///   start: date, end: date, metadata: [HKMetadataKeyWasUserEntered: true])
/// ```
open class HKQuantitySample: HKSample, HKQuantitySampleConstruction, @unchecked Sendable {
  /// The kind of quantity.
  open var quantityType: HKQuantityType {
    guard let type = sampleType as? HKQuantityType else {
      fatalError("A quantity sample's type must be a quantity type.")
    }
    return type
  }

  /// The quantity: the sum (cumulative) or average (discrete) where `count` is above 1.
  open var quantity: HKQuantity {
    if let quantity = built?.quantity { return quantity }
    guard let block else {
      fatalError("A quantity sample must hold a quantity.")
    }
    return HKQuantity(unit: block.unit(at: row), doubleValue: block.value(at: row))
  }

  /// How many values the sample stands for; an `HKQuantitySeriesSampleQuery` reads them.
  open var count: Int { seriesPayload?.count ?? 1 }

  /// What a sample of several values says of them; `nil` for a sample of one.
  final var condensed: QuantitySeriesPayload? { seriesPayload as? QuantitySeriesPayload }

  /// A value in the unit of the sample's quantity.
  fileprivate final func inUnit(_ value: Double?) -> HKQuantity {
    value.map { HKQuantity(unit: quantity.unit, doubleValue: $0) } ?? quantity
  }

  /// The quantity before the type, time and identifier.
  open override var description: String { "\(quantity) \(super.description)" }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind.isQuantity && sample.quantity != nil
  }
}

/// A quantity sample whose values add up, such as steps.
///
/// Making one of a discrete type gives an object of this class all the same; the store keeps the
/// type alone and returns an ``HKDiscreteQuantitySample``.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The sum of the sample's values.
  open var sumQuantity: HKQuantity { quantity }
}

/// A quantity sample whose values are averaged, such as heart rates.
///
/// Making one of a cumulative type gives an object of this class all the same; the store keeps the
/// type alone and returns an ``HKCumulativeQuantitySample``.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The smallest of the sample's values.
  open var minimumQuantity: HKQuantity { inUnit(condensed?.minimum) }

  /// The average of the sample's values.
  open var averageQuantity: HKQuantity { quantity }

  /// The largest of the sample's values.
  open var maximumQuantity: HKQuantity { inUnit(condensed?.maximum) }

  /// The latest of the sample's values.
  open var mostRecentQuantity: HKQuantity { inUnit(condensed?.mostRecent.value) }

  /// When the latest of the sample's values was measured.
  open var mostRecentQuantityDateInterval: DateInterval {
    if let condensed { return condensed.mostRecent.interval }
    let start = startDate
    return DateInterval(start: start, end: max(start, endDate))
  }
}
