public import Foundation

/// Reads the individual values of quantity samples.
///
/// A sample with a single value yields its quantity, from its start to its end.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
  private typealias Handler =
    @Sendable (
      HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
      (any Error)?
    ) -> Void

  /// Whether the handler receives the sample of each value; default: false.
  ///
  /// Set it before executing the query.
  open var includeSample = false

  /// Whether values are grouped by sample, in order of the samples' start, rather than ordered by
  /// their own start; default: false.
  ///
  /// Set it before executing the query.
  open var orderByQuantitySampleStartDate = false

  private let sample: HKQuantitySample?
  private let handler: Handler

  /// Creates a query for the values of the samples of a type that match a predicate.
  ///
  /// The handler is called for each value, with a flag for the last one; if there are no values,
  /// once without a value. If samples cannot be read it receives an error and is not called again.
  @preconcurrency
  public init(
    quantityType: HKQuantityType, predicate: NSPredicate?,
    quantityHandler:
      @escaping @Sendable (
        HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
        (any Error)?
      ) -> Void
  ) {
    sample = nil
    handler = quantityHandler
    super.init(objectType: quantityType, predicate: predicate)
  }

  /// Creates a query for the values of one sample in the store.
  ///
  /// Deprecated in HealthKit. The handler receives each value with its start.
  @preconcurrency
  public init(
    sample quantitySample: HKQuantitySample,
    quantityHandler:
      @escaping @Sendable (
        HKQuantitySeriesSampleQuery, HKQuantity?, Date?, Bool, (any Error)?
      ) -> Void
  ) {
    sample = quantitySample
    handler = { query, quantity, interval, _, isDone, error in
      quantityHandler(query, quantity, interval?.start, isDone, error)
    }
    super.init(objectType: quantitySample.quantityType, predicate: nil)
  }

  override func run(_ reader: StoreReader) throws {
    guard let type = objectType as? HKQuantityType else { return }
    if let sample {
      // Throws if the sample is not in the store.
      _ = try SeriesReader(sample, reader)
    }
    let wanted = sample.map { HKQuery.predicateForObject(with: $0.uuid) } ?? predicate
    let plan = try reader.plan([(type, try SampleCondition(wanted))])
    var values = try QuantityValueReader(
      plan, reader, isOrderedBySample: orderByQuantitySampleStartDate)
    let includeSample = includeSample
    var next = try values.next()
    if next == nil { execution.deliver { handler(self, nil, nil, nil, true, nil) } }
    while execution.isRunning, let element = next {
      next = try values.next()
      execution.deliver {
        handler(
          self, element.quantity, element.value.interval, includeSample ? element.sample : nil,
          next == nil, nil)
      }
    }
    execution.finish()
  }

  override func fail(_ error: any Error) { handler(self, nil, nil, nil, true, error) }
}
