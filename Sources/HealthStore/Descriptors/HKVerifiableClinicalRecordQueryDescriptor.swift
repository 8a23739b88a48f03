public import Foundation

/// Reads verifiable clinical records with Swift concurrency.
public struct HKVerifiableClinicalRecordQueryDescriptor: HKAsyncQuery, Sendable {
  /// The credential types; records must have all of them.
  public var recordTypes: [HKVerifiableClinicalRecordCredentialType]

  /// The accepted source types.
  public var sourceTypes: [HKVerifiableClinicalRecordSourceType]

  /// The condition on records, or nil to match all.
  public var predicate: NSPredicate? {
    get { sent.predicate }
    set { sent.predicate = newValue }
  }
  private var sent: SentPredicate

  /// The records.
  public typealias Output = [HKVerifiableClinicalRecord]

  /// Creates a descriptor.
  public init(
    recordTypes: [HKVerifiableClinicalRecordCredentialType],
    sourceTypes: [HKVerifiableClinicalRecordSourceType], predicate: NSPredicate? = nil
  ) {
    self.recordTypes = recordTypes
    self.sourceTypes = sourceTypes
    sent = SentPredicate(predicate)
  }

  /// Returns the records, by relevant date.
  ///
  /// - Throws: ``HKError`` if the store cannot be read, `CancellationError` if the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKVerifiableClinicalRecord] {
    let records = try await healthStore.reading { reader in
      try reader.verifiableRecords(recordTypes.map(\.rawValue), sourceTypes, predicate)
    }
    try Task.checkCancellation()
    return records
  }
}
