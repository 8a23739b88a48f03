public import Foundation

/// Finds correlations by themselves and by the samples that they contain.
///
/// The whole answer is delivered in one call of the handler, after which the query has ended. Each
/// correlation has all its objects that may be read, whatever they were chosen by.
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

  /// What contained samples must satisfy: of each of these types at least one.
  open private(set) var samplePredicates: [HKSampleType: NSPredicate]?

  private let completion: @Sendable (HKCorrelationQuery, [HKCorrelation]?, (any Error)?) -> Void

  /// Makes a query for correlations of one type.
  ///
  /// - Parameters:
  ///   - correlationType: The type of correlations.
  ///   - predicate: What the correlations themselves must satisfy; `nil` admits all.
  ///   - samplePredicates: For each type what a contained sample of it must satisfy: a correlation
  ///     that contains none such is left out. `nil` or none admits all.
  ///   - completion: Gets the correlations by start date, none being an empty array, or `nil` and
  ///     an error.
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
