public import Foundation

/// A sample with a quantity, such as a heart rate or a number of steps.
///
/// `HKQuantitySample(type:…)` creates an `HKCumulativeQuantitySample` or an
/// `HKDiscreteQuantitySample`, depending on the type's aggregation style.
///
/// ```swift
/// let beat = HKQuantitySample(
///   type: HKQuantityType(.heartRate),
///   quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 62),
///   start: date, end: date, metadata: [HKMetadataKeyWasUserEntered: true])
/// ```
open class HKQuantitySample: HKSample, HKQuantitySampleConstruction, @unchecked Sendable {
  /// The quantity type of the sample.
  open var quantityType: HKQuantityType {
    guard let type = sampleType as? HKQuantityType else {
      fatalError("A quantity sample's type must be a quantity type.")
    }
    return type
  }

  /// The quantity.
  ///
  /// If `count` is greater than 1, the sum (cumulative types) or the average (discrete types).
  open var quantity: HKQuantity {
    if let quantity = built?.quantity { return quantity }
    guard let block else {
      fatalError("A quantity sample must hold a quantity.")
    }
    return HKQuantity(unit: block.unit(at: row), doubleValue: block.value(at: row))
  }

  /// The number of values in the sample.
  ///
  /// An `HKQuantitySeriesSampleQuery` reads them individually.
  open var count: Int { seriesPayload?.count ?? 1 }

  /// The summary of a sample with several values, or nil for a single value.
  final var condensed: QuantitySeriesPayload? { seriesPayload as? QuantitySeriesPayload }

  /// Returns a value in the unit of the sample's quantity; nil yields the quantity itself.
  fileprivate final func inUnit(_ value: Double?) -> HKQuantity {
    value.map { HKQuantity(unit: quantity.unit, doubleValue: $0) } ?? quantity
  }

  /// The quantity, followed by type, dates and identifier.
  open override var description: String { "\(quantity) \(super.description)" }

  override class var payloadType: (any SamplePayload.Type)? { QuantitySeriesPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind.isQuantity && sample.quantity != nil
  }
}

/// A quantity sample of a cumulative type, such as steps.
///
/// Creating one with a discrete type also returns this class. The store keeps only the type, so
/// reading it back returns an ``HKDiscreteQuantitySample``.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The sum of the sample's values.
  open var sumQuantity: HKQuantity { quantity }
}

/// A quantity sample of a discrete type, such as heart rate.
///
/// Creating one with a cumulative type also returns this class. The store keeps only the type, so
/// reading it back returns an ``HKCumulativeQuantitySample``.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
  /// The minimum of the sample's values.
  open var minimumQuantity: HKQuantity { inUnit(condensed?.minimum) }

  /// The average of the sample's values.
  open var averageQuantity: HKQuantity { quantity }

  /// The maximum of the sample's values.
  open var maximumQuantity: HKQuantity { inUnit(condensed?.maximum) }

  /// The most recent of the sample's values.
  open var mostRecentQuantity: HKQuantity { inUnit(condensed?.mostRecent.value) }

  /// The dates of the most recent value.
  open var mostRecentQuantityDateInterval: DateInterval {
    if let condensed { return condensed.mostRecent.interval }
    let start = startDate
    return DateInterval(start: start, end: max(start, endDate))
  }
}
