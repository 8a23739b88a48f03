public import Foundation

/// A query that reads a subject's medication list once.
///
/// The handler is called once per medication, and then a last time without one to signal
/// completion.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
  private let limit: Int
  private let resultsHandler:
    @Sendable (
      HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
    ) -> Void

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - predicate: The condition on the medications, or `nil` to admit all.
  ///   - limit: The maximum number of medications, or `HKObjectQueryNoLimit` for no limit.
  ///   - resultsHandler: Receives a medication, the completion, or an error.
  @preconcurrency
  public init(
    predicate: NSPredicate?, limit: Int,
    resultsHandler:
      @escaping @Sendable (
        HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
      ) -> Void
  ) {
    self.limit = limit
    self.resultsHandler = resultsHandler
    super.init(objectType: .userAnnotatedMedicationType(), predicate: predicate)
  }

  override func run(_ reader: StoreReader) throws {
    for medication in try reader.medications(predicate, limit: limit) {
      execution.deliver { resultsHandler(self, medication, false, nil) }
    }
    execution.deliver { resultsHandler(self, nil, true, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { resultsHandler(self, nil, true, error) }
}
