/// The identifier of the type of medication doses.
public let HKMedicationDoseEventTypeIdentifierMedicationDoseEvent =
  "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"

/// The type of medication doses.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {}

extension HKObjectType {
  /// Returns the type of medication doses.
  public class func medicationDoseEventType() -> HKMedicationDoseEventType {
    TypeCatalogue.shared.medicationDoseEvent
  }
}
