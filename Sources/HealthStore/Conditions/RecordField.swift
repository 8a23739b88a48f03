import Foundation

/// A property of one sample kind, in addition to those of every sample, by its key path.
enum RecordField: String, Hashable, Sendable, CaseIterable {
  case valence
  case stateOfMindKind = "kind"
  case stateOfMindLabel = "labels"
  case stateOfMindAssociation = "associations"
  case ecgClassification = "ecg_public_classification"
  case ecgSymptomsStatus = "ecg_symptoms_status"
  case ecgAverageHeartRate = "ecg_average_heart_rate"
  case fhirResourceIdentifier = "FHIRResource.identifier"
  case fhirResourceType = "FHIRResource.resourceType"
  case documentTitle = "title"
  case documentPatient = "patient_name"
  case documentCustodian = "custodian_name"
  case documentAuthor = "author_name"
  case relevantDate
  case doseStatus = "status"
  case scheduledDate
  /// The origin of a dose's record: as needed or scheduled.
  case logOrigin
  case medicationConcept = "medicationConceptIdentifier"
  case hasSchedule
  case isArchived

  /// The kind of constant that the property is compared with.
  private enum Operand {
    case number
    case text
    case date
    case quantity
    /// The identifier of a health concept.
    case concept
  }

  /// The sample kind that has the property.
  var sampleKind: SampleKind {
    switch self {
    case .valence, .stateOfMindKind, .stateOfMindLabel, .stateOfMindAssociation: .stateOfMind
    case .ecgClassification, .ecgSymptomsStatus, .ecgAverageHeartRate: .electrocardiogram
    case .fhirResourceIdentifier, .fhirResourceType: .clinicalRecord
    case .documentTitle, .documentPatient, .documentCustodian, .documentAuthor: .cdaDocument
    case .relevantDate: .verifiableClinicalRecord
    case .doseStatus, .scheduledDate, .logOrigin, .medicationConcept: .medicationDoseEvent
    case .hasSchedule, .isArchived: .userAnnotatedMedication
    }
  }

  /// Whether the property is the value column of its rows, so that comparisons become ranges of
  /// values.
  var isRowValue: Bool { self == .valence || self == .ecgClassification }

  private var operand: Operand {
    switch self {
    case .fhirResourceIdentifier, .fhirResourceType, .documentTitle, .documentPatient,
      .documentCustodian, .documentAuthor:
      .text
    case .relevantDate, .scheduledDate: .date
    case .ecgAverageHeartRate: .quantity
    case .medicationConcept: .concept
    default: .number
    }
  }

  /// Whether the property is text.
  var isText: Bool { operand == .text }

  /// Returns the constant in its form for comparison, or nil if its kind does not apply.
  func operand(_ constant: Any) -> MetadataValue? {
    if let concept = constant as? HKHealthConceptIdentifier {
      return operand == .concept ? .string(concept.description) : nil
    }
    guard let value = MetadataValue(constant) else { return nil }
    let isSuitable =
      switch value {
      case .string: operand == .text
      case .bool, .integer, .unsigned, .double: operand == .number
      case .date: operand == .date
      case .quantity: operand == .quantity
      }
    return isSuitable ? value : nil
  }

  /// Returns the property's values for an object: empty if the property is unset, nil if the
  /// object's class does not have the property.
  func values(of object: HKObject) -> [MetadataValue]? {
    switch (self, object) {
    case (.valence, let mind as HKStateOfMind): [.double(mind.valence)]
    case (.stateOfMindKind, let mind as HKStateOfMind): [.integer(Int64(mind.kind.rawValue))]
    case (.stateOfMindLabel, let mind as HKStateOfMind):
      mind.labels.map { .integer(Int64($0.rawValue)) }
    case (.stateOfMindAssociation, let mind as HKStateOfMind):
      mind.associations.map { .integer(Int64($0.rawValue)) }
    case (.ecgClassification, let electrocardiogram as HKElectrocardiogram):
      [.integer(Int64(electrocardiogram.classification.rawValue))]
    case (.ecgSymptomsStatus, let electrocardiogram as HKElectrocardiogram):
      [.integer(Int64(electrocardiogram.symptomsStatus.rawValue))]
    case (.ecgAverageHeartRate, let electrocardiogram as HKElectrocardiogram):
      electrocardiogram.averageHeartRate.map { [.quantity($0)] } ?? []
    case (.fhirResourceIdentifier, let record as HKClinicalRecord):
      record.fhirResource.map { [.string($0.identifier)] } ?? []
    case (.fhirResourceType, let record as HKClinicalRecord):
      record.fhirResource.map { [.string($0.resourceType.rawValue)] } ?? []
    case (.documentTitle, let sample as HKCDADocumentSample): [.string(sample.header.title)]
    case (.documentPatient, let sample as HKCDADocumentSample):
      [.string(sample.header.patientName)]
    case (.documentCustodian, let sample as HKCDADocumentSample):
      [.string(sample.header.custodianName)]
    case (.documentAuthor, let sample as HKCDADocumentSample):
      [.string(sample.header.authorName)]
    case (.relevantDate, let record as HKVerifiableClinicalRecord): [.date(record.relevantDate)]
    case (.doseStatus, let dose as HKMedicationDoseEvent):
      [.integer(Int64(dose.logStatus.rawValue))]
    case (.scheduledDate, let dose as HKMedicationDoseEvent):
      dose.scheduledDate.map { [.date($0)] } ?? []
    case (.logOrigin, let dose as HKMedicationDoseEvent):
      [.integer(Int64(dose.scheduleType.rawValue))]
    case (.medicationConcept, let dose as HKMedicationDoseEvent):
      [.string(dose.medicationConceptIdentifier.description)]
    case (.hasSchedule, let entry as UserAnnotatedMedicationSample):
      [.bool(entry.medication.hasSchedule)]
    case (.isArchived, let entry as UserAnnotatedMedicationSample):
      [.bool(entry.medication.isArchived)]
    default: nil
    }
  }

  /// Returns whether any of an object's values passes a test.
  ///
  /// An unset property is tested as a missing value.
  func passes(_ test: ValueTest, _ object: HKObject) throws(HKPredicateFormatError) -> Bool {
    guard let values = values(of: object) else { return false }
    if values.isEmpty { return try test.matches(nil) }
    for value in values where try test.matches(value) { return true }
    return false
  }
}
