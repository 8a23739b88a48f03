public import Foundation

/// Reads samples once.
///
/// The result is delivered in one call of the results handler, which ends the query. Without sort
/// descriptors the order is unspecified; currently it is by start date.
///
/// ```swift
/// let query = HKSampleQuery(
///   sampleType: heartRate, predicate: nil, limit: 10,
///   sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)]
/// ) { query, samples, error in
///   guard let samples = samples as? [HKQuantitySample] else { return }
///   show(samples.map(\.quantity))
/// }
/// store.execute(query)
/// ```
open class HKSampleQuery: HKQuery, @unchecked Sendable {
  /// The maximum number of samples; `HKObjectQueryNoLimit` for all.
  open private(set) var limit: Int

  /// The order of the results.
  ///
  /// The limit applies after sorting.
  open private(set) var sortDescriptors: [NSSortDescriptor]?

  private let descriptors: [HKQueryDescriptor]
  private let resultsHandler: @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

  /// Creates a query for samples of one type.
  ///
  /// The handler receives samples, possibly an empty array, or nil and an error.
  @preconcurrency
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.limit = limit
    self.sortDescriptors = sortDescriptors
    self.resultsHandler = resultsHandler
    descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
    super.init(objectType: sampleType, predicate: predicate)
  }

  /// Creates a query for samples that match any of the descriptors.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor], limit: Int,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.limit = limit
    sortDescriptors = nil
    self.resultsHandler = resultsHandler
    descriptors = queryDescriptors
    let only = queryDescriptors.count == 1 ? queryDescriptors.first : nil
    super.init(objectType: only?.sampleType, predicate: only?.predicate)
  }

  /// Creates a query for samples that match any of the descriptors, in a specified order.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    self.limit = limit
    self.sortDescriptors = sortDescriptors
    self.resultsHandler = resultsHandler
    descriptors = queryDescriptors
    let only = queryDescriptors.count == 1 ? queryDescriptors.first : nil
    super.init(objectType: only?.sampleType, predicate: only?.predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let samples: [HKSample] = try reader.samples(
      try reader.plan(descriptors), order: SampleOrder(sortDescriptors), limit: limit)
    execution.deliver { resultsHandler(self, samples, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { resultsHandler(self, nil, error) }
}
