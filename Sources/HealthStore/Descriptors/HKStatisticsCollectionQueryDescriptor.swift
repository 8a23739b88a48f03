public import Foundation

/// A query for statistics per interval, such as a day, either once or as samples change.
///
/// Equivalent to ``HKStatisticsCollectionQuery``.
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
  Sendable
{
  /// The result of the query.
  public typealias Output = HKStatisticsCollection

  /// The sequence of collections as samples change.
  public typealias Sequence = Results

  /// A collection with its updated statistics.
  public struct Result: Sendable {
    /// The whole collection.
    public let statisticsCollection: HKStatisticsCollection

    /// The statistics of the intervals that have changed, in ascending order, or `nil` in the
    /// first element.
    public let updatedStatistics: [HKStatistics]?
  }

  /// The sample type and the condition on its samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>

  /// The statistics to compute.
  public var options: HKStatisticsOptions

  /// The start of one interval, relative to which all others are computed.
  public var anchorDate: Date

  /// The length of an interval.
  public var intervalComponents: DateComponents

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The sample type and the condition on its samples.
  ///   - options: The statistics to compute.
  ///   - anchorDate: The start of one interval.
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
  /// - Returns: The collection. It may contain no interval with samples.
  /// - Throws: ``HKError`` if the store cannot be read, or `CancellationError` if the task is
  ///   cancelled.
  /// - Precondition: The type allows the options, and the components are a valid interval.
  ///   Otherwise the process traps; the function `validate` of ``HKStatisticsCollectionQuery``
  ///   throws instead.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
    let grid = grid(in: healthStore.calendar)
    let collection = try await healthStore.answering { reader in
      try reader.collection(request(), grid)
    }
    try Task.checkCancellation()
    return collection
  }

  /// Returns an infinite sequence: the collection, and then the updated collection after each
  /// change.
  ///
  /// The first element is delivered at once, even if there are no samples. Iterators are
  /// independent of each other.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The sequence of collections.
  /// - Precondition: The same as for ``result(for:)``.
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
