public import Foundation

/// Reads the values that quantity samples stand for.
///
/// A sample of one value stands for its own quantity, from its start to its end.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
  private typealias Handler =
    @Sendable (
      HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
      (any Error)?
    ) -> Void

  /// Whether the handler gets the sample of each value; false unless set before the query runs.
  open var includeSample = false

  /// Whether values come sample by sample, in order of the samples' start, rather than in order of
  /// their own; false unless set before the query runs.
  open var orderByQuantitySampleStartDate = false

  private let sample: HKQuantitySample?
  private let handler: Handler

  /// Makes a query for the values of the samples of a type that a predicate admits.
  ///
  /// The handler is called for each value, with whether it is the last; where there is none, once
  /// without a value. It gets an error when samples cannot be read, and is not called any more.
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

  /// Makes a query for the values of one sample that is in the store.
  ///
  /// Deprecated in HealthKit. The handler gets each value with its start.
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
      // Says so when it is not there.
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
