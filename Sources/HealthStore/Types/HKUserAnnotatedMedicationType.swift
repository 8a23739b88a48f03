/// The identifier of the type of medication list entries.
public let HKDataTypeIdentifierUserAnnotatedMedicationConcept =
  "HKDataTypeIdentifierUserAnnotatedMedicationConcept"

/// The type of the entries of a subject's medication list.
///
/// Unlike in HealthKit, this is a sample type, so that entries can be observed and deleted like
/// samples.
open class HKUserAnnotatedMedicationType: HKSampleType, @unchecked Sendable {}

extension HKObjectType {
  /// Returns the type of medication list entries.
  public class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
    TypeCatalogue.shared.userAnnotatedMedication
  }
}
