public import Foundation

/// A signed record of a vaccination, a test or similar, such as a SMART Health Card.
///
/// Its start and end are its relevant date. The signature is not verified.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
  /// Creates a record.
  ///
  /// This is an addition: in HealthKit, records come only from cards. `dataRepresentation` is
  /// stored unchanged.
  ///
  /// - Throws: ``HKInvalidSampleError`` if dates are not finite or the metadata cannot be stored.
  public static func validated(
    recordTypes: [String], issuerIdentifier: String, subject: HKVerifiableClinicalRecordSubject,
    issuedDate: Date, relevantDate: Date, expirationDate: Date?, itemNames: [String],
    sourceType: HKVerifiableClinicalRecordSourceType?, dataRepresentation: Data,
    metadata: [String: Any]? = nil, sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKVerifiableClinicalRecord {
    HKVerifiableClinicalRecord(
      built: try BuiltSample(
        validating: TypeCatalogue.shared.verifiableClinicalRecord, start: relevantDate,
        end: relevantDate,
        payload: VerifiableClinicalRecordPayload(
          recordTypes: recordTypes, issuer: issuerIdentifier, subject: subject,
          issuedDate: issuedDate, expirationDate: expirationDate, itemNames: itemNames,
          sourceType: sourceType?.rawValue, data: dataRepresentation),
        device: nil, metadata: metadata, sourceRevision: sourceRevision))
  }

  private var contents: VerifiableClinicalRecordPayload {
    payload(VerifiableClinicalRecordPayload.self)
  }

  /// The credential types of the record, as spelled in
  /// ``HKVerifiableClinicalRecordCredentialType``.
  open var recordTypes: [String] { contents.recordTypes }

  /// The identifier of the issuer.
  open var issuerIdentifier: String { contents.issuer }

  /// The subject of the record.
  open var subject: HKVerifiableClinicalRecordSubject { contents.subject }

  /// The date of issue.
  open var issuedDate: Date { contents.issuedDate }

  /// The date of the recorded event, such as a vaccination.
  open var relevantDate: Date { startDate }

  /// The expiration date, if there is one.
  open var expirationDate: Date? { contents.expirationDate }

  /// The names of the listed items.
  open var itemNames: [String] { contents.itemNames }

  /// The type of the record's source.
  open var sourceType: HKVerifiableClinicalRecordSourceType? {
    contents.sourceType.map(HKVerifiableClinicalRecordSourceType.init(rawValue:))
  }

  /// The signed record in the format of its source.
  open var dataRepresentation: Data { contents.data }

  /// The signed record; the older property for SMART Health Cards.
  @available(*, deprecated, renamed: "dataRepresentation")
  open var jwsRepresentation: Data { contents.data }

  override class var payloadType: (any SamplePayload.Type)? { VerifiableClinicalRecordPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is VerifiableClinicalRecordPayload
  }
}
