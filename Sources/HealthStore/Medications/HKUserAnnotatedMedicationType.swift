/// The identifier of the type of the entries in a person's list of medications.
public let HKDataTypeIdentifierUserAnnotatedMedicationConcept =
  "HKDataTypeIdentifierUserAnnotatedMedicationConcept"

/// The type of the entries in a person's list of medications.
///
/// Here it is a type of samples, so that entries can be followed and deleted like samples; in
/// HealthKit it is not.
open class HKUserAnnotatedMedicationType: HKSampleType, @unchecked Sendable {}

extension HKObjectType {
  /// The type of the entries in a person's list of medications.
  public class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
    TypeCatalogue.shared.userAnnotatedMedication
  }
}

/// An entry in a person's list of medications as a store has it.
final class UserAnnotatedMedicationSample: HKSample, @unchecked Sendable {
  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is UserAnnotatedMedicationPayload
  }

  /// The entry itself.
  var medication: HKUserAnnotatedMedication {
    payload(UserAnnotatedMedicationPayload.self).medication
  }
}
