public import Foundation

/// Reads a person's list of medications once.
///
/// The handler is called for each medication, and then once more without one to say that it is
/// done.
open class HKUserAnnotatedMedicationQuery: HKQuery, @unchecked Sendable {
  private let limit: Int
  private let resultsHandler:
    @Sendable (
      HKUserAnnotatedMedicationQuery, HKUserAnnotatedMedication?, Bool, (any Error)?
    ) -> Void

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - predicate: What medications must satisfy; `nil` admits all.
  ///   - limit: The greatest number of medications; `HKObjectQueryNoLimit` for all.
  ///   - resultsHandler: Gets a medication, or that it is done, or an error.
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
