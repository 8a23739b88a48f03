import Foundation
import SampleLog

// Saves entries of the medication list.
extension HKHealthStore {
  /// Saves an entry of the subject's medication list, replacing an earlier entry for the
  /// medication.
  ///
  /// This is an addition: in HealthKit only the Health app edits the list. To remove medications,
  /// delete objects of the type `HKObjectType.userAnnotatedMedicationType()`. Each source has its
  /// own entries.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if writing fails, or with
  ///   `errorAuthorizationDenied` or `errorAuthorizationNotDetermined` if an authorization policy
  ///   does not grant sharing of the type.
  public func save(_ medication: HKUserAnnotatedMedication) async throws {
    let (policy, date) = (authorization, Date())
    try await changing { store, subject in
      try store.save(medication, at: date, subject: subject, policy: policy)
    }
  }
}

extension OpenStore {
  fileprivate func save(
    _ medication: HKUserAnnotatedMedication, at date: Date, subject: String,
    policy: AuthorizationPolicy?
  ) throws {
    try checkWritable()
    let type = HKObjectType.userAnnotatedMedicationType()
    try policy?.checkSharing(type)
    let revision = policy?.sourceRevision ?? .current
    let key = SeriesKey(
      subject: database.symbols.intern(subject), type: database.symbols.intern(type.identifier))
    try write(subject: subject, policy: policy) { writer, snapshot in
      var metadata: [String: Any] = [
        HKMetadataKeySyncIdentifier: medication.medication.identifier.description,
        HKMetadataKeySyncVersion: 1,
      ]
      if let identity = SyncIdentity(metadata, revision),
        let old = try snapshot.row(key, syncIdentifier: identity.identifier)
      {
        metadata[HKMetadataKeySyncVersion] = try snapshot.extras(of: old).syncVersion + 1
      }
      let built = try BuiltSample(
        validating: type, start: date, end: date,
        payload: UserAnnotatedMedicationPayload(medication), device: nil, metadata: metadata,
        sourceRevision: nil)
      try writer.add([UserAnnotatedMedicationSample(built: built)])
    }
  }
}
