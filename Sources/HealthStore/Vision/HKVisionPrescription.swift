public import Foundation

/// A prescription of glasses or contact lenses.
///
/// Its start and end are the date of issue. A store returns an ``HKGlassesPrescription`` or an
/// ``HKContactsPrescription``, depending on the type.
open class HKVisionPrescription: HKSample, NSCopying, @unchecked Sendable {
  /// Creates a prescription without lens specifications.
  ///
  /// Traps if ``validated(type:dateIssued:expirationDate:device:metadata:sourceRevision:)`` would
  /// throw.
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

  /// Returns a prescription without lens specifications, or throws where the initialiser would
  /// trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  /// If `sourceRevision` is nil, the source is the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the prescription expires before it is issued, a date is
  ///   not finite, or the metadata cannot be stored.
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

  /// Returns an object for a row, of the class that corresponds to its payload.
  final class func make(of block: StoredBlock, at row: Int32) -> HKVisionPrescription {
    switch block.payload(VisionPrescriptionPayload.self, at: row).type {
    case .glasses: HKGlassesPrescription(block: block, row: row)
    case .contacts: HKContactsPrescription(block: block, row: row)
    }
  }

  /// The type of prescription.
  open var prescriptionType: HKVisionPrescriptionType {
    payload(VisionPrescriptionPayload.self).type
  }

  /// The date of issue.
  open var dateIssued: Date { startDate }

  /// The expiration date, if there is one.
  open var expirationDate: Date? { payload(VisionPrescriptionPayload.self).expirationDate }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class var payloadType: (any SamplePayload.Type)? { VisionPrescriptionPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is VisionPrescriptionPayload
  }
}
