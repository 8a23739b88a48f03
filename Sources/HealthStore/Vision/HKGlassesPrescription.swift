public import Foundation

/// A prescription of glasses.
open class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
  /// Creates a prescription.
  ///
  /// Traps if `validated` with the same arguments would throw.
  public convenience init(
    rightEyeSpecification: HKGlassesLensSpecification?,
    leftEyeSpecification: HKGlassesLensSpecification?, dateIssued: Date,
    expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(
          VisionPrescriptionPayload(
            .glasses, expirationDate, right: rightEyeSpecification, left: leftEyeSpecification),
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
    rightEyeSpecification: HKGlassesLensSpecification?,
    leftEyeSpecification: HKGlassesLensSpecification?, dateIssued: Date,
    expirationDate: Date?, device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKGlassesPrescription {
    HKGlassesPrescription(
      built: try build(
        VisionPrescriptionPayload(
          .glasses, expirationDate, right: rightEyeSpecification, left: leftEyeSpecification),
        dateIssued, device, metadata, sourceRevision))
  }

  /// The specification of the right lens.
  open var rightEye: HKGlassesLensSpecification? {
    payload(VisionPrescriptionPayload.self).right as? HKGlassesLensSpecification
  }

  /// The specification of the left lens.
  open var leftEye: HKGlassesLensSpecification? {
    payload(VisionPrescriptionPayload.self).left as? HKGlassesLensSpecification
  }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    (sample.payload as? VisionPrescriptionPayload)?.type == .glasses
  }
}
