import Foundation
import SampleLog

/// The payload of a verifiable clinical record.
///
/// A version byte, the types (list of strings), the issuer, the subject's name, a byte 0 for no
/// date of birth or 1 with optional year, month and day (signed), the date of issue, the optional
/// expiration date, the item names (list of strings), the optional source type, and the unchanged
/// data.
struct VerifiableClinicalRecordPayload: SamplePayload {
  static let kind: UInt64 = 13
  private static let version: UInt8 = 1

  let recordTypes: [String]
  let issuer: String
  let subject: HKVerifiableClinicalRecordSubject
  let issuedDate: Date
  let expirationDate: Date?
  let itemNames: [String]
  let sourceType: String?
  let data: Data

  init(
    recordTypes: [String], issuer: String, subject: HKVerifiableClinicalRecordSubject,
    issuedDate: Date, expirationDate: Date?, itemNames: [String], sourceType: String?, data: Data
  ) {
    self.recordTypes = recordTypes
    self.issuer = issuer
    self.subject = subject
    self.issuedDate = issuedDate
    self.expirationDate = expirationDate
    self.itemNames = itemNames
    self.sourceType = sourceType
    self.data = data
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.list(recordTypes) { $0.text($1) }
    writer.text(issuer)
    writer.text(subject.fullName)
    writer.optional(subject.dateOfBirthComponents) { writer, birth in
      for number in [birth.year, birth.month, birth.day] {
        writer.optional(number) { $0.signed($1) }
      }
    }
    writer.date(issuedDate)
    writer.optional(expirationDate) { $0.date($1) }
    writer.list(itemNames) { $0.text($1) }
    writer.optional(sourceType)
    writer.string([UInt8](data))
    return writer.bytes
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let types = reader.list({ $0.text() }),
      let issuer = reader.text(), let name = reader.text(),
      let birth = reader.optional(Self.birth), let issued = reader.date(),
      let expiration = reader.optional({ $0.date() }), let items = reader.list({ $0.text() }),
      let sourceType = reader.optionalText(), let data = reader.string(), reader.isAtEnd
    else { return nil }
    self.init(
      recordTypes: types, issuer: issuer,
      subject: HKVerifiableClinicalRecordSubject(fullName: name, dateOfBirthComponents: birth),
      issuedDate: issued, expirationDate: expiration, itemNames: items, sourceType: sourceType,
      data: Data(data))
  }

  private static func birth(_ reader: inout ByteReader) -> DateComponents? {
    guard let year = reader.optional({ $0.signed() }), let month = reader.optional({ $0.signed() }),
      let day = reader.optional({ $0.signed() })
    else { return nil }
    return DateComponents(year: year, month: month, day: day)
  }

  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    for date in [issuedDate, expirationDate ?? issuedDate]
    where !date.timeIntervalSinceReferenceDate.isFinite {
      throw .dateNotFinite(type: type.identifier)
    }
  }
}
