/// Computes the statistics of all samples that match, once.
///
/// As ``HKStatisticsQuery`` does.
///
/// ```swift
/// let descriptor = HKStatisticsQueryDescriptor(
///   predicate: .quantitySample(type: heartRate), options: .discreteAverage)
/// let average = try await descriptor.result(for: store)?.averageQuantity()
/// ```
public struct HKStatisticsQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
  /// What the query returns: `nil` when no sample matches.
  public typealias Output = HKStatistics?

  /// The type of samples, and what they must satisfy.
  public var predicate: HKSamplePredicate<HKQuantitySample>

  /// What to compute.
  public var options: HKStatisticsOptions

  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The type of samples, and what they must satisfy.
  ///   - options: What to compute.
  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
    self.predicate = predicate
    self.options = options
  }

  /// Computes the statistics.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The statistics; `nil` when no sample matches.
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  /// - Precondition: The type allows the options; ``HKStatisticsOptions/validated(for:)`` throws
  ///   where this ends the process.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
    let quantityType = predicate.quantityType
    options.trapUnlessAllowed(for: quantityType)
    let statistics = try await healthStore.reading { reader in
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
  /// The type of samples, which only `quantitySample(type:predicate:)` sets.
  var quantityType: HKQuantityType {
    guard let type = sampleType as? HKQuantityType else {
      fatalError("A predicate for quantity samples must have a quantity type.")
    }
    return type
  }
}
