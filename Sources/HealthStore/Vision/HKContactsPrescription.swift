public import Foundation

/// A prescription of contact lenses.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
  /// Makes a prescription.
  ///
  /// Traps where `validated` with the same arguments throws.
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

  /// Makes a prescription, or throws where the initialiser traps.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` when it expires before it is issued, dates are not finite
  ///   or metadata cannot be stored.
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

  /// What the lens of the right eye must be like.
  open var rightEye: HKContactsLensSpecification? {
    payload(VisionPrescriptionPayload.self).right as? HKContactsLensSpecification
  }

  /// What the lens of the left eye must be like.
  open var leftEye: HKContactsLensSpecification? {
    payload(VisionPrescriptionPayload.self).left as? HKContactsLensSpecification
  }

  /// Whose lenses they are.
  open var brand: String { payload(VisionPrescriptionPayload.self).brand }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    (sample.payload as? VisionPrescriptionPayload)?.type == .contacts
  }
}
