/// The kind of a sample, which determines its class and payload.
enum SampleKind: Sendable {
  case cumulativeQuantity
  case discreteQuantity
  case category
  case correlation
  case workoutRoute
  case heartbeatSeries
  case electrocardiogram
  case workout
  case stateOfMind
  case gad7Assessment
  case phq9Assessment
  case clinicalRecord
  case audiogram
  case visionPrescription
  case cdaDocument
  case verifiableClinicalRecord
  case medicationDoseEvent
  case userAnnotatedMedication
  case other

  init(of type: HKSampleType) {
    switch type {
    case let type as HKQuantityType:
      self = type.aggregationStyle == .cumulative ? .cumulativeQuantity : .discreteQuantity
    case is HKCategoryType: self = .category
    case is HKCorrelationType: self = .correlation
    case HKSeriesType.workoutRoute(): self = .workoutRoute
    case HKSeriesType.heartbeat(): self = .heartbeatSeries
    case is HKElectrocardiogramType: self = .electrocardiogram
    case is HKWorkoutType: self = .workout
    case is HKStateOfMindType: self = .stateOfMind
    case is HKScoredAssessmentType:
      let isGAD7 = type.identifier == HKScoredAssessmentTypeIdentifier.GAD7.rawValue
      self = isGAD7 ? .gad7Assessment : .phq9Assessment
    case is HKClinicalType: self = .clinicalRecord
    case is HKAudiogramSampleType: self = .audiogram
    case is HKPrescriptionType: self = .visionPrescription
    case is HKDocumentType: self = .cdaDocument
    case is VerifiableClinicalRecordType: self = .verifiableClinicalRecord
    case is HKMedicationDoseEventType: self = .medicationDoseEvent
    case is HKUserAnnotatedMedicationType: self = .userAnnotatedMedication
    default: self = .other
    }
  }

  var isQuantity: Bool { self == .cumulativeQuantity || self == .discreteQuantity }
}
