/// The identifier of a clinical type.
///
/// Any string can be wrapped, but only the constants identify existing types.
public struct HKClinicalTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The identifier, as spelled in HealthKit and in Apple's exports.
  public var rawValue: String

  /// Creates an identifier from a string.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier from a string.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension HKClinicalTypeIdentifier {
  /// Allergies and intolerances in a clinical record.
  public static let allergyRecord = Self(rawValue: "HKClinicalTypeIdentifierAllergyRecord")

  /// Notes in a clinical record.
  public static let clinicalNoteRecord = Self(
    rawValue: "HKClinicalTypeIdentifierClinicalNoteRecord")

  /// Conditions in a clinical record.
  public static let conditionRecord = Self(rawValue: "HKClinicalTypeIdentifierConditionRecord")

  /// Insurance coverage in a clinical record.
  public static let coverageRecord = Self(rawValue: "HKClinicalTypeIdentifierCoverageRecord")

  /// Immunisations in a clinical record.
  public static let immunizationRecord = Self(
    rawValue: "HKClinicalTypeIdentifierImmunizationRecord")

  /// Laboratory results in a clinical record.
  public static let labResultRecord = Self(rawValue: "HKClinicalTypeIdentifierLabResultRecord")

  /// Medications in a clinical record.
  public static let medicationRecord = Self(rawValue: "HKClinicalTypeIdentifierMedicationRecord")

  /// Procedures in a clinical record.
  public static let procedureRecord = Self(rawValue: "HKClinicalTypeIdentifierProcedureRecord")

  /// Vital signs in a clinical record.
  public static let vitalSignRecord = Self(rawValue: "HKClinicalTypeIdentifierVitalSignRecord")

  static let all: [Self] = [
    .allergyRecord, .clinicalNoteRecord, .conditionRecord, .coverageRecord, .immunizationRecord,
    .labResultRecord, .medicationRecord, .procedureRecord, .vitalSignRecord,
  ]
}
