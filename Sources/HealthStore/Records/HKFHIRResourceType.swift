/// A type of FHIR resources, spelled as in a resource's `resourceType`.
public struct HKFHIRResourceType: RawRepresentable, Hashable, Sendable {
  /// The type's name.
  public var rawValue: String

  /// Wraps a type's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An allergy or intolerance.
  public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")

  /// A condition.
  public static let condition = Self(rawValue: "Condition")

  /// A coverage by an insurance.
  public static let coverage = Self(rawValue: "Coverage")

  /// A diagnostic report.
  public static let diagnosticReport = Self(rawValue: "DiagnosticReport")

  /// A reference to a document.
  public static let documentReference = Self(rawValue: "DocumentReference")

  /// An immunisation.
  public static let immunization = Self(rawValue: "Immunization")

  /// A medication that was handed out.
  public static let medicationDispense = Self(rawValue: "MedicationDispense")

  /// An order of a medication, in DSTU2.
  public static let medicationOrder = Self(rawValue: "MedicationOrder")

  /// A request for a medication, in R4.
  public static let medicationRequest = Self(rawValue: "MedicationRequest")

  /// A statement about a medication.
  public static let medicationStatement = Self(rawValue: "MedicationStatement")

  /// An observation.
  public static let observation = Self(rawValue: "Observation")

  /// A procedure.
  public static let procedure = Self(rawValue: "Procedure")
}
