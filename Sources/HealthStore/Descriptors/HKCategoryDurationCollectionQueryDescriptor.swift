public import Foundation

/// A query for the total duration of category samples per value and interval, for example the time
/// asleep by stage and night.
///
/// This is an addition: HealthKit computes statistics of quantities only. Sources and intervals
/// work as in ``HKStatisticsCollectionQueryDescriptor``: at each moment the samples of the source
/// with the highest priority count, regardless of their value, and other sources fill the gaps.
/// Time that is covered by several samples of one source and one value counts once; overlapping
/// samples of different values each count. A sample that crosses the boundary of intervals
/// contributes to each interval the part inside it. A sample with zero duration or an unknown end
/// is ignored.
///
/// ```swift
/// let nights = HKCategoryDurationCollectionQueryDescriptor(
///   predicate: .categorySample(type: HKCategoryType(.sleepAnalysis)), anchorDate: noon,
///   intervalComponents: DateComponents(day: 1))
/// for night in try await nights.result(for: store) {
///   print(night.startDate, night.duration(of: HKCategoryValueSleepAnalysis.asleepREM))
/// }
/// ```
public struct HKCategoryDurationCollectionQueryDescriptor: HKAsyncQuery, Sendable {
  /// The result of the query: the intervals that contain samples, in ascending order.
  public typealias Output = [HKCategoryDurations]

  /// The sample type and the condition on its samples.
  public var predicate: HKSamplePredicate<HKCategorySample>

  /// The start of one interval, relative to which all others are computed.
  public var anchorDate: Date

  /// The length of an interval.
  public var intervalComponents: DateComponents

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The sample type and the condition on its samples.
  ///   - anchorDate: The start of one interval. Use noon to keep each night in a single interval.
  ///   - intervalComponents: The length of an interval.
  public init(
    predicate: HKSamplePredicate<HKCategorySample>, anchorDate: Date,
    intervalComponents: DateComponents
  ) {
    self.predicate = predicate
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
  }

  /// Computes the durations.
  ///
  /// Days and longer units follow the calendar of the components, or else that of the health
  /// store, ``HKHealthStore/calendar``.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The intervals that contain samples, in ascending order.
  /// - Throws: ``HKStatisticsError`` if the components are not a valid interval or the anchor date
  ///   is out of range; ``HKError`` if the store cannot be read; `CancellationError` if the task
  ///   is cancelled.
  /// - Complexity: Linear in the number of matching samples, all of which are read, and in the
  ///   number of intervals that they overlap.
  public func result(for healthStore: HKHealthStore) async throws -> [HKCategoryDurations] {
    let grid = try StatisticsGrid.validated(
      anchor: anchorDate, components: intervalComponents, calendar: healthStore.calendar)
    let categoryType = predicate.categoryType
    let found = try await healthStore.reading { reader in
      try reader.categoryDurations(
        categoryType, try SampleCondition(predicate.nsPredicate), grid)
    }
    try Task.checkCancellation()
    return found
  }
}

extension HKSamplePredicate<HKCategorySample> {
  /// The category type.
  ///
  /// The cast cannot fail, because only `categorySample(type:predicate:)` creates these predicates.
  fileprivate var categoryType: HKCategoryType {
    guard let type = sampleType as? HKCategoryType else {
      fatalError("A predicate for category samples must have a category type.")
    }
    return type
  }
}
