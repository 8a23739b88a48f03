/// The catalogue of all types, created once.
///
/// Apple publishes no identifiers for activity summaries, audiograms and verifiable clinical
/// records; those used here are specific to this library.
struct TypeCatalogue: Sendable {
  static let shared = TypeCatalogue()

  let quantityTypes: [String: HKQuantityType]
  let categoryTypes: [String: HKCategoryType]
  let workout = HKWorkoutType(info: TypeInfo(HKWorkoutTypeIdentifier))
  let activitySummary = HKActivitySummaryType(info: TypeInfo("HKActivitySummaryTypeIdentifier"))
  let workoutRoute = HKSeriesType(info: TypeInfo(HKWorkoutRouteTypeIdentifier))
  let heartbeat = HKSeriesType(info: TypeInfo(HKDataTypeIdentifierHeartbeatSeries))
  let audiogram = HKAudiogramSampleType(info: TypeInfo("HKAudiogramSampleTypeIdentifier"))
  let electrocardiogram = HKElectrocardiogramType(
    info: TypeInfo("HKDataTypeIdentifierElectrocardiogram"))
  let visionPrescription = HKPrescriptionType(info: TypeInfo(HKVisionPrescriptionTypeIdentifier))
  let verifiableClinicalRecord = VerifiableClinicalRecordType(
    info: TypeInfo("HKVerifiableClinicalRecordTypeIdentifier"))
  let medicationDoseEvent = HKMedicationDoseEventType(
    info: TypeInfo(HKMedicationDoseEventTypeIdentifierMedicationDoseEvent))
  let userAnnotatedMedication = HKUserAnnotatedMedicationType(
    info: TypeInfo(HKDataTypeIdentifierUserAnnotatedMedicationConcept))
  let stateOfMind = HKStateOfMindType(info: TypeInfo(HKDataTypeIdentifierStateOfMind))

  /// All types by identifier, including those of small families.
  let types: [String: HKObjectType]

  private init() {
    var types: [String: HKObjectType] = [:]
    let singles: [HKObjectType] = [
      workout, activitySummary, workoutRoute, heartbeat, audiogram, electrocardiogram,
      visionPrescription, stateOfMind, verifiableClinicalRecord, medicationDoseEvent,
      userAnnotatedMedication,
    ]
    for type in singles { types[type.identifier] = type }
    for identifier in HKCorrelationTypeIdentifier.all {
      types[identifier.rawValue] = HKCorrelationType(info: TypeInfo(identifier.rawValue))
    }
    for identifier in HKCharacteristicTypeIdentifier.all {
      types[identifier.rawValue] = HKCharacteristicType(info: TypeInfo(identifier.rawValue))
    }
    for identifier in HKDocumentTypeIdentifier.all {
      types[identifier.rawValue] = HKDocumentType(info: TypeInfo(identifier.rawValue))
    }
    for identifier in HKScoredAssessmentTypeIdentifier.all {
      types[identifier.rawValue] = HKScoredAssessmentType(info: TypeInfo(identifier.rawValue))
    }
    for identifier in HKClinicalTypeIdentifier.all {
      types[identifier.rawValue] = HKClinicalType(info: TypeInfo(identifier.rawValue))
    }
    quantityTypes = Self.makeQuantityTypes()
    categoryTypes = Self.makeCategoryTypes()
    for (identifier, type) in quantityTypes { types[identifier] = type }
    for (identifier, type) in categoryTypes { types[identifier] = type }
    self.types = types
  }

  private static func makeQuantityTypes() -> [String: HKQuantityType] {
    var made: [String: HKQuantityType] = [:]
    for row in QuantityTypeRow.all {
      let identifier = row.identifier.rawValue
      made[identifier] = HKQuantityType(
        info: TypeInfo(
          identifier, limits: .fourDays, aggregationStyle: row.style,
          canonicalUnit: HKUnit(from: row.unit)))
    }
    return made
  }

  private static func makeCategoryTypes() -> [String: HKCategoryType] {
    var made: [String: HKCategoryType] = [:]
    for row in CategoryTypeRow.all {
      let identifier = row.identifier.rawValue
      made[identifier] = HKCategoryType(
        info: TypeInfo(
          identifier, limits: row.identifier == .sleepAnalysis ? .fourDays : .none,
          categoryValues: row.values.range))
    }
    return made
  }
}
