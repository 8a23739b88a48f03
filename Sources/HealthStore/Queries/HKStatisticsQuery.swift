public import Foundation

/// Computes the statistics of all samples that match, once.
///
/// Each sample counts whole. The statistics begin with the earliest sample and end with the one
/// that ends last. Only quantity types have statistics.
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

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - quantityType: The type of samples.
  ///   - quantitySamplePredicate: What samples must satisfy; `nil` admits all.
  ///   - options: What to compute.
  ///   - handler: Called once, with the statistics, or `nil` and an error: `errorNoData` when no
  ///     sample matches.
  /// - Precondition: The type allows the options; ``HKStatisticsOptions/validated(for:)`` throws
  ///   where this ends the process.
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
