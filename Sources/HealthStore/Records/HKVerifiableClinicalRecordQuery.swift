public import Foundation

/// Reads verifiable clinical records once.
///
/// Unlike HealthKit's it asks nobody: with a policy, reading is allowed or denied as for any type.
open class HKVerifiableClinicalRecordQuery: HKQuery, @unchecked Sendable {
  /// What records must be about: all of these.
  open private(set) var recordTypes: [String]

  /// The forms that records may have come in.
  open private(set) var sourceTypes: [HKVerifiableClinicalRecordSourceType]

  private let resultsHandler:
    @Sendable (
      HKVerifiableClinicalRecordQuery, [HKVerifiableClinicalRecord]?, (any Error)?
    ) -> Void

  /// Makes a query for SMART Health Cards.
  ///
  /// The handler gets the records, none being an empty array, or `nil` and an error.
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

  /// Makes a query for records of some forms.
  ///
  /// The handler gets the records, none being an empty array, or `nil` and an error.
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
  /// The records about all of some things, in one of some forms, by their relevant date.
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
