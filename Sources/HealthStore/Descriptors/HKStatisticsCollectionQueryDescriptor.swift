public import Foundation

/// Computes statistics for intervals such as days, once or as samples change.
///
/// As ``HKStatisticsCollectionQuery`` does.
///
/// ```swift
/// let descriptor = HKStatisticsCollectionQueryDescriptor(
///   predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: midnight,
///   intervalComponents: DateComponents(day: 1))
/// for day in try await descriptor.result(for: store).statistics() {
///   show(day.sumQuantity())
/// }
/// ```
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery,
  @unchecked Sendable
{
  /// What the query returns.
  public typealias Output = HKStatisticsCollection

  /// The collections as they change.
  public typealias Sequence = Results

  /// A collection, and what of it is new.
  public struct Result: Sendable {
    /// The whole collection.
    public let statisticsCollection: HKStatisticsCollection

    /// The statistics of the intervals that have changed, in the order of time; `nil` in the first
    /// element.
    public let updatedStatistics: [HKStatistics]?
  }

  /// The type of samples, and what they must satisfy.
  public var predicate: HKSamplePredicate<HKQuantitySample>

  /// What to compute.
  public var options: HKStatisticsOptions

  /// Where an interval begins.
  public var anchorDate: Date

  /// The length of an interval.
  public var intervalComponents: DateComponents

  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The type of samples, and what they must satisfy.
  ///   - options: What to compute.
  ///   - anchorDate: Where an interval begins.
  ///   - intervalComponents: The length of an interval.
  public init(
    predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions,
    anchorDate: Date, intervalComponents: DateComponents
  ) {
    self.predicate = predicate
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
  }

  /// Computes the collection.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The collection, which may have no interval with samples.
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  /// - Precondition: The type allows the options, and the components are an interval; the
  ///   function `validate` of ``HKStatisticsCollectionQuery`` throws where this ends the process.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
    let grid = grid(in: healthStore.calendar)
    let collection = try await healthStore.reading { reader in
      try reader.collection(request(), grid)
    }
    try Task.checkCancellation()
    return collection
  }

  /// Returns the collection, then again whenever an interval of it has changed, without end.
  ///
  /// The first element comes at once, even without samples. Each iterator reads for itself.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The collections.
  /// - Precondition: As for ``result(for:)``.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, grid: grid(in: healthStore.calendar), healthStore: healthStore)
  }

  private func grid(in calendar: Calendar) -> StatisticsGrid {
    options.trapUnlessAllowed(for: predicate.quantityType)
    return StatisticsGrid(anchor: anchorDate, components: intervalComponents, calendar: calendar)
  }

  func request() throws -> StatisticsRequest {
    StatisticsRequest(
      quantityType: predicate.quantityType, condition: try SampleCondition(predicate.nsPredicate),
      options: options)
  }
}
