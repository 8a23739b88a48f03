/// The identifier of the type of doses.
public let HKMedicationDoseEventTypeIdentifierMedicationDoseEvent =
  "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"

/// The type of doses of medications.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {}

extension HKObjectType {
  /// The type of doses of medications.
  public class func medicationDoseEventType() -> HKMedicationDoseEventType {
    TypeCatalogue.shared.medicationDoseEvent
  }
}
