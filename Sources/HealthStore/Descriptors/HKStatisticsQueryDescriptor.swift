/// A query that computes statistics over all matching samples once.
///
/// Equivalent to ``HKStatisticsQuery``.
///
/// ```swift
/// let descriptor = HKStatisticsQueryDescriptor(
///   predicate: .quantitySample(type: heartRate), options: .discreteAverage)
/// let average = try await descriptor.result(for: store)?.averageQuantity()
/// ```
public struct HKStatisticsQueryDescriptor: HKAsyncQuery, Sendable {
  /// The result of the query, or `nil` if no sample matches.
  public typealias Output = HKStatistics?

  /// The sample type and the condition on its samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>

  /// The statistics to compute.
  public var options: HKStatisticsOptions

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The sample type and the condition on its samples.
  ///   - options: The statistics to compute.
  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
    self.predicate = predicate
    self.options = options
  }

  /// Computes the statistics.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The statistics, or `nil` if no sample matches.
  /// - Throws: ``HKError`` if the store cannot be read, or `CancellationError` if the task is
  ///   cancelled.
  /// - Precondition: The type allows the options. Otherwise the process traps;
  ///   ``HKStatisticsOptions/validated(for:)`` throws instead.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
    let quantityType = predicate.quantityType
    options.trapUnlessAllowed(for: quantityType)
    let statistics = try await healthStore.answering { reader in
      try reader.statistics(
        StatisticsRequest(
          quantityType: quantityType, condition: try SampleCondition(predicate.nsPredicate),
          options: options))
    }
    try Task.checkCancellation()
    return statistics
  }
}

extension HKSamplePredicate<HKQuantitySample> {
  /// The quantity type.
  ///
  /// The cast cannot fail, because only `quantitySample(type:predicate:)` creates these predicates.
  var quantityType: HKQuantityType {
    guard let type = sampleType as? HKQuantityType else {
      fatalError("A predicate for quantity samples must have a quantity type.")
    }
    return type
  }
}
