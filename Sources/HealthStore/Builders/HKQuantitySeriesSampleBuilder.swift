public import Foundation
import SampleLog

/// Collects values of a quantity and saves them as one sample.
///
/// ```swift
/// let rates = HKQuantitySeriesSampleBuilder(
///   healthStore: store, quantityType: HKQuantityType(.heartRate), startDate: start, device: nil)
/// try rates.insert(HKQuantity(unit: perMinute, doubleValue: 62), at: start)
/// try rates.insert(HKQuantity(unit: perMinute, doubleValue: 64), at: end)
/// let samples = try await rates.finishSeries(metadata: nil)
/// ```
open class HKQuantitySeriesSampleBuilder: HKSeriesBuilder, @unchecked Sendable {
  /// The type of the sample.
  public let quantityType: HKQuantityType

  /// The start of the sample.
  public let startDate: Date

  /// The device that measured the values.
  open var device: HKDevice? { builderDevice }

  private struct Collected {
    var values: [QuantityValue] = []
    var unit: HKUnit?
  }

  private let collected = Locked(Collected())

  /// Creates a builder for a sample in a store, with a start date and a device.
  public init(
    healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?
  ) {
    self.quantityType = quantityType
    self.startDate = startDate
    super.init(healthStore, device)
  }

  /// Adds an instantaneous value.
  ///
  /// - Throws: The same errors as ``insert(_:for:)``.
  open func insert(_ quantity: HKQuantity, at date: Date) throws {
    try add(quantity, date.timeIntervalSinceReferenceDate, date.timeIntervalSinceReferenceDate)
  }

  /// Adds a value for a time interval.
  ///
  /// Values may be added in any order.
  ///
  /// - Throws: `errorInvalidArgument` if the unit is incompatible with the type, the value is not
  ///   finite, the interval begins before `startDate`, or the series is finished or discarded.
  open func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
    try add(
      quantity, dateInterval.start.timeIntervalSinceReferenceDate,
      dateInterval.end.timeIntervalSinceReferenceDate)
  }

  private func add(_ quantity: HKQuantity, _ start: Double, _ end: Double) throws {
    try checkOpen()
    guard quantityType.is(compatibleWith: quantity.unit) else {
      throw HKError.make(
        .errorInvalidArgument, "\(quantity.unit) is no unit of \(quantityType.identifier).")
    }
    guard start.isFinite, end.isFinite, start >= startDate.timeIntervalSinceReferenceDate else {
      throw HKError.make(
        .errorInvalidArgument, "A value lies before the start of its series, or at no date.")
    }
    try collected.withLock { collected in
      let unit = collected.unit ?? quantity.unit
      guard let value = quantity.converted(to: unit), value.isFinite else {
        throw HKError.make(.errorInvalidArgument, "A value is not a finite number.")
      }
      collected.unit = unit
      collected.values.append(QuantityValue(value: value, start: start, end: end))
    }
  }

  /// Discards the collected values.
  ///
  /// The builder cannot be used afterwards.
  ///
  /// Has no effect if the series is finished or is being finished.
  open override func discard() { super.discard() }

  /// Saves the sample and reports it.
  ///
  /// The sample ends with its last value.
  ///
  /// Equivalent to an end date of nil.
  @preconcurrency
  open func finishSeries(
    metadata: [String: Any]?,
    completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
  ) {
    finishSeries(metadata: metadata, endDate: nil, completion: completion)
  }

  /// Saves the sample, or throws the errors that the completion-handler version reports.
  open func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
    try await finishSeries(metadata: metadata, endDate: nil)
  }

  /// Saves the sample and reports it.
  ///
  /// Its quantity is the sum of the values, or their average according to the type's aggregation
  /// style. HealthKit may divide a series into several samples; this implementation always saves
  /// one. Reports `errorInvalidArgument` if there are no values, if `endDate` is before the end of
  /// a value, and after the series is finished or discarded. After any other error the call may be
  /// repeated.
  @preconcurrency
  open func finishSeries(
    metadata: [String: Any]?, endDate: Date?,
    completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let metadata = metadata
    finish(completion) { store, subject, policy in
      let collected = self.collected.withLock { $0 }
      let values = collected.values.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      let last = values.reduce(self.startDate.timeIntervalSinceReferenceDate) { max($0, $1.end) }
      let end = endDate ?? Date(timeIntervalSinceReferenceDate: last)
      guard end.timeIntervalSinceReferenceDate >= last else {
        throw HKError.make(.errorInvalidArgument, "A value lies behind the end of its series.")
      }
      let sample = HKQuantitySample.make(
        try BuiltSample(
          condensing: values, unit: collected.unit ?? .count(), type: self.quantityType,
          start: self.startDate, end: end, device: self.builderDevice,
          metadata: metadata))
      try store.save([sample], subject: subject, policy: policy)
      return [sample]
    }
  }

  /// Saves the sample, or throws the errors that the completion-handler version reports.
  open func finishSeries(
    metadata: [String: Any]?, endDate: Date?
  ) async throws -> [HKQuantitySample] {
    nonisolated(unsafe) let metadata = metadata
    return try await finished { completion in
      self.finishSeries(
        metadata: metadata, endDate: endDate, completion: completion)
    }
  }
}
