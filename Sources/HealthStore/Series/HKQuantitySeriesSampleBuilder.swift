public import Foundation
import SampleLog

/// Collects values of a quantity and saves them as one sample that stands for all of them.
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

  /// When the sample begins.
  public let startDate: Date

  /// What measured the values.
  open var device: HKDevice? { builderDevice }

  private struct Collected {
    var values: [QuantityValue] = []
    var unit: HKUnit?
  }

  private let collected = Locked(Collected())

  /// Makes a builder for a sample in a store that begins at a date, measured by a device.
  public init(
    healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?
  ) {
    self.quantityType = quantityType
    self.startDate = startDate
    super.init(healthStore, device)
  }

  /// Adds a value that was measured at a moment.
  ///
  /// - Throws: What the form with an interval throws.
  open func insert(_ quantity: HKQuantity, at date: Date) throws {
    try add(quantity, date.timeIntervalSinceReferenceDate, date.timeIntervalSinceReferenceDate)
  }

  /// Adds a value for an interval of time; values may come in any order.
  ///
  /// - Throws: `errorInvalidArgument` for a unit that is not one of the type, for a value that is
  ///   not finite, for an interval that begins before `startDate`, and after the series was
  ///   finished or discarded.
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

  /// Gives up what was collected; the builder is of no use afterwards.
  ///
  /// Nothing happens when the series was finished or is being finished.
  open override func discard() { super.discard() }

  /// Saves the sample, which ends with the last value, and reports it.
  ///
  /// The same as with an end date of `nil`.
  @preconcurrency
  open func finishSeries(
    metadata: [String: Any]?,
    completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
  ) {
    finishSeries(metadata: metadata, endDate: nil, completion: completion)
  }

  /// Saves the sample, or throws what the form with a handler reports.
  open func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
    try await finishSeries(metadata: metadata, endDate: nil)
  }

  /// Saves the sample and reports it.
  ///
  /// Its quantity is the sum of the values, or their average as its type forms it. HealthKit may
  /// divide a series into several samples; here it is always one. Reports `errorInvalidArgument`
  /// when there is no value, when `endDate` is before the end of a value, and after the series was
  /// finished or discarded. After another failure it may be tried again.
  @preconcurrency
  open func finishSeries(
    metadata: [String: Any]?, endDate: Date?,
    completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
  ) {
    let metadata = Locked(metadata)
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
          metadata: metadata.withLock { $0 }))
      try store.save([sample], subject: subject, policy: policy)
      return [sample]
    }
  }

  /// Saves the sample, or throws what the form with a handler reports.
  open func finishSeries(
    metadata: [String: Any]?, endDate: Date?
  ) async throws -> [HKQuantitySample] {
    let metadata = Locked(metadata)
    return try await finished { completion in
      self.finishSeries(
        metadata: metadata.withLock { $0 }, endDate: endDate, completion: completion)
    }
  }
}
