public import Foundation

/// An entry of a clinic's records, such as a laboratory result.
open class HKClinicalRecord: HKSample, NSCopying, @unchecked Sendable {
  /// Makes a record.
  ///
  /// Our addition: HealthKit's come from clinics alone. Its dates are when it was added to Health.
  /// `sourceRevision` says which clinic it is from; the resource's type and identifier are unique
  /// for it.
  ///
  /// - Throws: ``HKInvalidSampleError`` for dates that are not finite or not in order, and for
  ///   metadata that cannot be stored.
  public static func validated(
    type: HKClinicalType, displayName: String, fhirResource: HKFHIRResource?, start: Date,
    end: Date, device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKClinicalRecord {
    HKClinicalRecord(
      built: try BuiltSample(
        validating: type, start: start, end: end,
        payload: ClinicalRecordPayload(displayName: displayName, resource: fhirResource),
        device: device, metadata: metadata, sourceRevision: sourceRevision))
  }

  /// The kind of record.
  open var clinicalType: HKClinicalType {
    guard let type = sampleType as? HKClinicalType else {
      fatalError("A clinical record's type must be a clinical type.")
    }
    return type
  }

  /// What the record is called.
  open var displayName: String { payload(ClinicalRecordPayload.self).displayName }

  /// The resource that the record was made of, if it was of one.
  open var fhirResource: HKFHIRResource? { payload(ClinicalRecordPayload.self).resource }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is ClinicalRecordPayload
  }
}
