public import Foundation

/// Reads correlations by conditions on them and on the samples that they contain.
///
/// The result is delivered in one call of the handler, which ends the query. Each correlation
/// contains all its objects that may be read, including those that do not match a sample predicate.
///
/// ```swift
/// let high = HKQuery.predicateForQuantitySamples(
///   with: .greaterThan, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 140))
/// let query = HKCorrelationQuery(
///   type: HKCorrelationType(.bloodPressure), predicate: nil,
///   samplePredicates: [HKQuantityType(.bloodPressureSystolic): high]
/// ) { query, correlations, error in
///   show(correlations?.count)
/// }
/// store.execute(query)
/// ```
open class HKCorrelationQuery: HKQuery, @unchecked Sendable {
  /// The type of correlations.
  open private(set) var correlationType: HKCorrelationType

  /// The conditions on contained samples: a correlation must contain a matching sample of each
  /// type.
  open private(set) var samplePredicates: [HKSampleType: NSPredicate]?

  private let completion: @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

  /// Creates a query for correlations of one type.
  ///
  /// - Parameters:
  ///   - correlationType: The type of correlations.
  ///   - predicate: The condition on correlations, or nil to match all.
  ///   - samplePredicates: The condition on contained samples by type. A correlation without a
  ///     matching sample of each type is excluded. Nil or empty to match all.
  ///   - completion: The handler; receives correlations by start date, possibly an empty array, or
  ///     nil and an error.
  @preconcurrency
  public init(
    type correlationType: HKCorrelationType, predicate: NSPredicate?,
    samplePredicates: [HKSampleType: NSPredicate]?,
    completion:
      @escaping @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void
  ) {
    self.correlationType = correlationType
    self.samplePredicates = samplePredicates
    self.completion = completion
    super.init(objectType: correlationType, predicate: predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let conditions = try (samplePredicates ?? [:]).mapValues { try SampleCondition($0) }
    let plan = try reader.plan([(correlationType, try SampleCondition(predicate))])
    let all: [HKCorrelation] = try reader.samples(plan, order: SampleOrder(nil), limit: 0)
    let found = try all.filter { correlation in
      try conditions.allSatisfy { type, condition in
        try correlation.objects(for: type).contains { try condition.matches($0) }
      }
    }
    execution.deliver { completion(self, found, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { completion(self, nil, error) }
}
