public import Foundation

/// A prescription of contact lenses.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
  /// Creates a prescription.
  ///
  /// Traps if `validated` with the same arguments would throw.
  public convenience init(
    rightEyeSpecification: HKContactsLensSpecification?,
    leftEyeSpecification: HKContactsLensSpecification?, brand: String, dateIssued: Date,
    expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(
          VisionPrescriptionPayload(
            .contacts, expirationDate, right: rightEyeSpecification, left: leftEyeSpecification,
            brand: brand),
          dateIssued, device, metadata, nil)
      })
  }

  /// Creates a prescription, or throws where the initialiser would trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  /// If `sourceRevision` is nil, the source is the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the prescription expires before it is issued, a date is
  ///   not finite, or the metadata cannot be stored.
  public static func validated(
    rightEyeSpecification: HKContactsLensSpecification?,
    leftEyeSpecification: HKContactsLensSpecification?, brand: String, dateIssued: Date,
    expirationDate: Date?, device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKContactsPrescription {
    HKContactsPrescription(
      built: try build(
        VisionPrescriptionPayload(
          .contacts, expirationDate, right: rightEyeSpecification, left: leftEyeSpecification,
          brand: brand),
        dateIssued, device, metadata, sourceRevision))
  }

  /// The specification of the right lens.
  open var rightEye: HKContactsLensSpecification? {
    payload(VisionPrescriptionPayload.self).right as? HKContactsLensSpecification
  }

  /// The specification of the left lens.
  open var leftEye: HKContactsLensSpecification? {
    payload(VisionPrescriptionPayload.self).left as? HKContactsLensSpecification
  }

  /// The brand of the lenses.
  open var brand: String { payload(VisionPrescriptionPayload.self).brand }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    (sample.payload as? VisionPrescriptionPayload)?.type == .contacts
  }
}
