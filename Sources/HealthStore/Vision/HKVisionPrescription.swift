public import Foundation

/// A prescription of glasses or contact lenses.
///
/// It begins and ends when it was issued. A store returns an ``HKGlassesPrescription`` or an
/// ``HKContactsPrescription``, as the type says.
open class HKVisionPrescription: HKSample, NSCopying, @unchecked Sendable {
  /// Makes a prescription that does not say what the lenses are like.
  ///
  /// Traps where ``validated(type:dateIssued:expirationDate:device:metadata:sourceRevision:)``
  /// throws.
  public convenience init(
    type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(
          VisionPrescriptionPayload(type, expirationDate), dateIssued, device, metadata, nil)
      })
  }

  /// Makes a prescription that does not say what the lenses are like, or throws where the
  /// initialiser traps.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` when it expires before it is issued, dates are not finite
  ///   or metadata cannot be stored.
  public static func validated(
    type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?,
    device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKVisionPrescription {
    HKVisionPrescription(
      built: try build(
        VisionPrescriptionPayload(type, expirationDate), dateIssued, device, metadata,
        sourceRevision))
  }

  final class func build(
    _ payload: VisionPrescriptionPayload, _ dateIssued: Date, _ device: HKDevice?,
    _ metadata: [String: Any]?, _ sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) -> BuiltSample {
    try BuiltSample(
      validating: .visionPrescriptionType(), start: dateIssued, end: dateIssued, payload: payload,
      device: device, metadata: metadata, sourceRevision: sourceRevision)
  }

  /// Makes the object that stands for a row, of the class that its payload calls for.
  final class func make(of block: StoredBlock, at row: Int32) -> HKVisionPrescription {
    switch block.payload(VisionPrescriptionPayload.self, at: row).type {
    case .glasses: HKGlassesPrescription(block: block, row: row)
    case .contacts: HKContactsPrescription(block: block, row: row)
    }
  }

  /// What is prescribed.
  open var prescriptionType: HKVisionPrescriptionType {
    payload(VisionPrescriptionPayload.self).type
  }

  /// When it was issued.
  open var dateIssued: Date { startDate }

  /// When it expires, if it does.
  open var expirationDate: Date? { payload(VisionPrescriptionPayload.self).expirationDate }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is VisionPrescriptionPayload
  }
}
