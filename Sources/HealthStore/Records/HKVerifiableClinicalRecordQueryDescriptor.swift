public import Foundation

/// Reads verifiable clinical records with Swift concurrency.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
  /// What records must be about: all of these.
  public var recordTypes: [HKVerifiableClinicalRecordCredentialType]

  /// The forms that records may have come in.
  public var sourceTypes: [HKVerifiableClinicalRecordSourceType]

  /// What records must satisfy; `nil` admits all.
  public var predicate: NSPredicate?

  /// The records.
  public typealias Output = [HKVerifiableClinicalRecord]

  /// Makes a descriptor.
  public init(
    recordTypes: [HKVerifiableClinicalRecordCredentialType],
    sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
  ) {
    self.recordTypes = recordTypes
    self.sourceTypes = sourceTypes
    self.predicate = predicate
  }

  /// Reads the records, by their relevant date.
  ///
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKVerifiableClinicalRecord] {
    let records = try await healthStore.reading { reader in
      try reader.verifiableRecords(recordTypes.map(\.rawValue), sourceTypes, predicate)
    }
    try Task.checkCancellation()
    return records
  }
}
