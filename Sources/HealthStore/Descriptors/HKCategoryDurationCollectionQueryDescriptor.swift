public import Foundation

/// Computes how long category samples of each value lasted in intervals such as days: the time
/// asleep by stage and night.
///
/// Our addition: HealthKit's statistics are of quantities only. Sources and intervals are as in
/// ``HKStatisticsCollectionQueryDescriptor``: at each moment the samples of the source with the
/// highest priority count, whatever their value, and other sources fill the gaps. Time that several
/// samples of one source and one value cover counts once; samples of different values that overlap
/// count for each. A sample across the edge of an interval counts in each with the part inside. A
/// sample that takes no time, or whose end is not known, counts for nothing.
///
/// ```swift
/// let nights = HKCategoryDurationCollectionQueryDescriptor(
///   predicate: .categorySample(type: HKCategoryType(.sleepAnalysis)), anchorDate: noon,
///   intervalComponents: DateComponents(day: 1))
/// for night in try await nights.result(for: store) {
///   print(night.startDate, night.duration(of: HKCategoryValueSleepAnalysis.asleepREM))
/// }
/// ```
public struct HKCategoryDurationCollectionQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
  /// What the query returns: the intervals in which samples last, in the order of time.
  public typealias Output = [HKCategoryDurations]

  /// The type of samples, and what they must satisfy.
  public var predicate: HKSamplePredicate<HKCategorySample>

  /// Where an interval begins.
  public var anchorDate: Date

  /// The length of an interval.
  public var intervalComponents: DateComponents

  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The type of samples, and what they must satisfy.
  ///   - anchorDate: Where an interval begins; noon keeps a night together.
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
  /// Days and longer are counted in the calendar of the components, else in that of the health
  /// store, ``HKHealthStore/calendar``.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The intervals in which samples last, in the order of time.
  /// - Throws: ``HKStatisticsError`` when the components are no interval or the anchor date is out
  ///   of range, ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  /// - Complexity: Linear in the samples that match, which are all read, and in the intervals that
  ///   they have a part in.
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
  /// The type of samples, which only `categorySample(type:predicate:)` sets.
  fileprivate var categoryType: HKCategoryType {
    guard let type = sampleType as? HKCategoryType else {
      fatalError("A predicate for category samples must have a category type.")
    }
    return type
  }
}
