public import Foundation

/// Computes the statistics of all matching samples, once.
///
/// Each sample counts completely. The dates are the earliest start and the latest end of a sample.
/// Only quantity types have statistics.
///
/// ```swift
/// let query = HKStatisticsQuery(
///   quantityType: heartRate, quantitySamplePredicate: nil, options: .discreteAverage
/// ) { query, statistics, error in
///   show(statistics?.averageQuantity())
/// }
/// store.execute(query)
/// ```
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
  private let quantityType: HKQuantityType
  private let options: HKStatisticsOptions
  private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - quantityType: The type of samples.
  ///   - quantitySamplePredicate: The condition on samples, or nil to match all.
  ///   - options: The statistics to compute.
  ///   - handler: The handler; called once, with the statistics, or nil and an error:
  ///     `errorNoData` if no sample matches.
  /// - Precondition: The type supports the options. Otherwise the initialiser traps;
  ///   ``HKStatisticsOptions/validated(for:)`` throws instead.
  @preconcurrency
  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
    options: HKStatisticsOptions = [],
    completionHandler handler:
      @escaping @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
  ) {
    options.trapUnlessAllowed(for: quantityType)
    self.quantityType = quantityType
    self.options = options
    self.handler = handler
    super.init(objectType: quantityType, predicate: quantitySamplePredicate)
  }

  override func run(_ reader: StoreReader) throws {
    let request = StatisticsRequest(
      quantityType: quantityType, condition: try SampleCondition(predicate), options: options)
    guard let statistics = try reader.statistics(request) else {
      throw HKError.make(
        .errorNoData, "No sample of \(quantityType.identifier) matches the statistics query.")
    }
    execution.deliver { handler(self, statistics, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { handler(self, nil, error) }
}
