public import Foundation

/// A clinical record, such as a laboratory result.
open class HKClinicalRecord: HKSample, NSCopying, @unchecked Sendable {
  /// Creates a record.
  ///
  /// This is an addition: in HealthKit, records come only from clinics. The dates are those of
  /// adding the record to Health. `sourceRevision` identifies the clinic; within it, the resource's
  /// type and identifier are unique.
  ///
  /// - Throws: ``HKInvalidSampleError`` if dates are not finite or not in order, or the metadata
  ///   cannot be stored.
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

  /// The type of the record.
  open var clinicalType: HKClinicalType {
    guard let type = sampleType as? HKClinicalType else {
      fatalError("A clinical record's type must be a clinical type.")
    }
    return type
  }

  /// The display name of the record.
  open var displayName: String { payload(ClinicalRecordPayload.self).displayName }

  /// The resource that the record was created from, if there is one.
  open var fhirResource: HKFHIRResource? { payload(ClinicalRecordPayload.self).resource }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class var payloadType: (any SamplePayload.Type)? { ClinicalRecordPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is ClinicalRecordPayload
  }
}
