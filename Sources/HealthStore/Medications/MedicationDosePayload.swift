import Foundation
import SampleLog

/// The payload of a medication dose.
///
/// Format: a version byte, the medication's domain and name, the status (a byte), the optional
/// scheduled date and scheduled dose (bit patterns; both or neither are present), the optional
/// dose (bit pattern), and the unit.
struct MedicationDosePayload: SamplePayload {
  static let kind: UInt64 = 14
  private static let version: UInt8 = 1

  let medication: HKHealthConceptIdentifier
  let status: HKMedicationDoseEvent.LogStatus
  let scheduledDate: Date?
  let scheduledDose: Double?
  let dose: Double?
  let unit: HKUnit

  init(
    medication: HKHealthConceptIdentifier, status: HKMedicationDoseEvent.LogStatus,
    scheduledDate: Date?, scheduledDose: Double?, dose: Double?, unit: HKUnit
  ) {
    self.medication = medication
    self.status = status
    self.scheduledDate = scheduledDate
    self.scheduledDose = scheduledDose
    self.dose = dose
    self.unit = unit
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.text(medication.domain.rawValue)
    writer.text(medication.name)
    writer.byte(UInt8(status.rawValue))
    writer.optional(scheduledDate) { $0.date($1) }
    writer.optional(scheduledDose) { $0.fixed($1) }
    writer.optional(dose) { $0.fixed($1) }
    writer.text(unit.unitString)
    return writer.bytes
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let domain = reader.text(), let name = reader.text(),
      let status = reader.byte().flatMap({ HKMedicationDoseEvent.LogStatus(rawValue: Int($0)) }),
      let date = reader.optional({ $0.date() }), let scheduled = reader.optional({ $0.finite() }),
      (date == nil) == (scheduled == nil), let dose = reader.optional({ $0.finite() }),
      let unit = reader.text().flatMap(HKUnit.named), reader.isAtEnd
    else { return nil }
    self.init(
      medication: HKHealthConceptIdentifier(
        domain: HKHealthConceptDomain(rawValue: domain), name: name),
      status: status, scheduledDate: date, scheduledDose: scheduled, dose: dose, unit: unit)
  }

  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    guard (scheduledDate == nil) == (scheduledDose == nil) else {
      throw .invalidContents(
        type: type.identifier, reason: "a scheduled date and a scheduled quantity go together.")
    }
    if let scheduledDate, !scheduledDate.timeIntervalSinceReferenceDate.isFinite {
      throw .dateNotFinite(type: type.identifier)
    }
    guard scheduledDose?.isFinite != false, dose?.isFinite != false else {
      throw .valueNotFinite(type: type.identifier)
    }
  }
}
