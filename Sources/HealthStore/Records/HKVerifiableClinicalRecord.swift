public import Foundation

/// A signed record of a vaccination, a test or the like, such as a SMART Health Card.
///
/// It begins and ends at its relevant date. Its signature is not looked at.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
  /// Makes a record.
  ///
  /// Our addition: HealthKit's come from cards alone. `dataRepresentation` is kept byte by byte.
  ///
  /// - Throws: ``HKInvalidSampleError`` for dates that are not finite and for metadata that cannot
  ///   be stored.
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

  /// What the record is about, in the spelling of ``HKVerifiableClinicalRecordCredentialType``.
  open var recordTypes: [String] { contents.recordTypes }

  /// Who issued it.
  open var issuerIdentifier: String { contents.issuer }

  /// Whom it is about.
  open var subject: HKVerifiableClinicalRecordSubject { contents.subject }

  /// When it was issued.
  open var issuedDate: Date { contents.issuedDate }

  /// When what it is about happened, such as a vaccination.
  open var relevantDate: Date { startDate }

  /// When it expires, if it does.
  open var expirationDate: Date? { contents.expirationDate }

  /// The names of what it lists.
  open var itemNames: [String] { contents.itemNames }

  /// The form that it came in.
  open var sourceType: HKVerifiableClinicalRecordSourceType? {
    contents.sourceType.map(HKVerifiableClinicalRecordSourceType.init(rawValue:))
  }

  /// The record itself, in the form of its source.
  open var dataRepresentation: Data { contents.data }

  /// The record itself, in the older property for SMART Health Cards.
  @available(*, deprecated, renamed: "dataRepresentation")
  open var jwsRepresentation: Data { contents.data }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is VerifiableClinicalRecordPayload
  }
}
