/// A type of FHIR resource, spelled as in its `resourceType`.
public struct HKFHIRResourceType: RawRepresentable, Hashable, Sendable {
  /// The type's name.
  public var rawValue: String

  /// Creates a type from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An allergy or intolerance.
  public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")

  /// A condition.
  public static let condition = Self(rawValue: "Condition")

  /// An insurance coverage.
  public static let coverage = Self(rawValue: "Coverage")

  /// A diagnostic report.
  public static let diagnosticReport = Self(rawValue: "DiagnosticReport")

  /// A reference to a document.
  public static let documentReference = Self(rawValue: "DocumentReference")

  /// An immunisation.
  public static let immunization = Self(rawValue: "Immunization")

  /// A dispensed medication.
  public static let medicationDispense = Self(rawValue: "MedicationDispense")

  /// A medication order, in DSTU2.
  public static let medicationOrder = Self(rawValue: "MedicationOrder")

  /// A medication request, in R4.
  public static let medicationRequest = Self(rawValue: "MedicationRequest")

  /// A medication statement.
  public static let medicationStatement = Self(rawValue: "MedicationStatement")

  /// An observation.
  public static let observation = Self(rawValue: "Observation")

  /// A procedure.
  public static let procedure = Self(rawValue: "Procedure")
}
