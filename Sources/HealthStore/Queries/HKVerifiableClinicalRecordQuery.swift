public import Foundation

/// Reads verifiable clinical records once.
///
/// Unlike HealthKit's query, it does not prompt the user: with a policy, reading is authorized as
/// for any other type.
open class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
  /// The credential types; records must have all of them.
  open private(set) var recordTypes: [String]

  /// The accepted source types.
  open private(set) var sourceTypes: [HKVerifiableClinicalRecordSourceType]

  private let resultsHandler:
    @Sendable (
      HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
    ) -> Void

  /// Creates a query for SMART Health Cards.
  ///
  /// The handler receives the records, possibly an empty array, or nil and an error.
  @preconcurrency
  public convenience init(
    recordTypes: [String], predicate: NSPredicate?,
    resultsHandler:
      @escaping @Sendable (
        HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
      ) -> Void
  ) {
    self.init(
      recordTypes: recordTypes, sourceTypes: [.smartHealthCard], predicate: predicate,
      resultsHandler: resultsHandler)
  }

  /// Creates a query for records of certain source types.
  ///
  /// The handler receives the records, possibly an empty array, or nil and an error.
  @preconcurrency
  public init(
    recordTypes: [String], sourceTypes: [HKVerifiableClinicalRecordSourceType],
    predicate: NSPredicate?,
    resultsHandler:
      @escaping @Sendable (
        HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
      ) -> Void
  ) {
    self.recordTypes = recordTypes
    self.sourceTypes = sourceTypes
    self.resultsHandler = resultsHandler
    super.init(
      objectType: TypeCatalogue.shared.verifiableClinicalRecord, predicate: predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let records = try reader.verifiableRecords(recordTypes, sourceTypes, predicate)
    execution.deliver { resultsHandler(self, records, nil) }
    execution.finish()
  }

  override func fail(_ error: any Error) { resultsHandler(self, nil, error) }
}

extension StoreReader {
  /// Returns the records with all of the credential types and one of the source types, by relevant
  /// date.
  func verifiableRecords(
    _ recordTypes: [String], _ sourceTypes: [HKVerifiableClinicalRecordSourceType],
    _ predicate: NSPredicate?
  ) throws -> [HKVerifiableClinicalRecord] {
    let type = TypeCatalogue.shared.verifiableClinicalRecord
    let all: [HKVerifiableClinicalRecord] = try samples(
      try plan([(type, try SampleCondition(predicate))]), order: SampleOrder(nil), limit: 0)
    return all.filter { record in
      let types = record.recordTypes
      return recordTypes.allSatisfy { types.contains($0) }
        && record.sourceType.map { sourceTypes.contains($0) } == true
    }
  }
}
