import Foundation
import SampleLog

/// The payload of a prescription of glasses or contact lenses.
///
/// A version byte, the type (one byte), the optional expiration date, the brand (empty for
/// glasses), then the optional right and left lens in the encoding of `LensCoding`.
package struct VisionPrescriptionPayload: SamplePayload {
  package static let kind: UInt64 = 8
  private static let version: UInt8 = 1

  let type: HKVisionPrescriptionType
  let expirationDate: Date?
  let right: HKLensSpecification?
  let left: HKLensSpecification?
  let brand: String

  package init(
    _ type: HKVisionPrescriptionType, _ expirationDate: Date?, right: HKLensSpecification? = nil,
    left: HKLensSpecification? = nil, brand: String = ""
  ) {
    self.type = type
    self.expirationDate = expirationDate
    self.right = right
    self.left = left
    self.brand = brand
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.byte(UInt8(type.rawValue))
    writer.optional(expirationDate) { $0.date($1) }
    writer.text(brand)
    for lens in [right, left] {
      writer.optional(lens) { writer, lens in
        if let lens = lens as? HKGlassesLensSpecification { writer.glasses(lens) }
        if let lens = lens as? HKContactsLensSpecification { writer.contacts(lens) }
      }
    }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version,
      let type = reader.byte().flatMap({ HKVisionPrescriptionType(rawValue: UInt($0)) }),
      let expirationDate = reader.optional({ $0.date() }), let brand = reader.text()
    else { return nil }
    func lens() -> HKLensSpecification?? {
      reader.optional { reader in
        switch type {
        case .glasses: LensCoding.glasses(&reader)
        case .contacts: LensCoding.contacts(&reader)
        }
      }
    }
    guard let right = lens(), let left = lens(), reader.isAtEnd else { return nil }
    self.init(type, expirationDate, right: right, left: left, brand: brand)
  }

  package func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    guard let expirationDate else { return }
    guard expirationDate.timeIntervalSinceReferenceDate.isFinite else {
      throw .dateNotFinite(type: type.identifier)
    }
    guard expirationDate >= start else {
      throw .invalidContents(type: type.identifier, reason: "it must not expire before its issue.")
    }
  }
}
