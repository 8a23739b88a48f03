import Foundation
import SampleLog

/// The payload of an entry of a subject's medication list.
///
/// Format: a version byte, the medication's domain, name, display text and form, a list of codings
/// (system, code and optional version), the optional nickname, and a byte of flags: 1 for
/// archived, 2 for scheduled.
struct UserAnnotatedMedicationPayload: SamplePayload {
  static let kind: UInt64 = 15
  private static let version: UInt8 = 1

  let medication: HKUserAnnotatedMedication

  init(_ medication: HKUserAnnotatedMedication) { self.medication = medication }

  var encoded: [UInt8] {
    let concept = medication.medication
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.text(concept.identifier.domain.rawValue)
    writer.text(concept.identifier.name)
    writer.text(concept.displayText)
    writer.text(concept.generalForm.rawValue)
    writer.list(concept.sortedCodings) { writer, coding in
      writer.text(coding.system)
      writer.text(coding.code)
      writer.optional(coding.version)
    }
    writer.optional(medication.nickname)
    writer.byte((medication.isArchived ? 1 : 0) | (medication.hasSchedule ? 2 : 0))
    return writer.bytes
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let domain = reader.text(), let name = reader.text(),
      let text = reader.text(), let form = reader.text(), let codings = reader.list(Self.coding),
      let nickname = reader.optionalText(), let flags = reader.byte(), flags < 4, reader.isAtEnd
    else { return nil }
    medication = HKUserAnnotatedMedication(
      medication: HKMedicationConcept(
        identifier: HKHealthConceptIdentifier(
          domain: HKHealthConceptDomain(rawValue: domain), name: name),
        displayText: text, generalForm: HKMedicationGeneralForm(rawValue: form),
        relatedCodings: Set(codings)),
      nickname: nickname, isArchived: flags & 1 != 0, hasSchedule: flags & 2 != 0)
  }

  private static func coding(_ reader: inout ByteReader) -> HKClinicalCoding? {
    guard let system = reader.text(), let code = reader.text(),
      let version = reader.optionalText()
    else { return nil }
    return HKClinicalCoding(system: system, version: version, code: code)
  }
}
