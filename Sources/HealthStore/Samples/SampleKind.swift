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

  /// The sample class; `HKSample.make(block:row:)` creates its objects.
  var sampleClass: HKSample.Type {
    switch self {
    case .cumulativeQuantity: HKCumulativeQuantitySample.self
    case .discreteQuantity: HKDiscreteQuantitySample.self
    case .category: HKCategorySample.self
    case .correlation: HKCorrelation.self
    case .workoutRoute: HKWorkoutRoute.self
    case .heartbeatSeries: HKHeartbeatSeriesSample.self
    case .electrocardiogram: HKElectrocardiogram.self
    case .workout: HKWorkout.self
    case .stateOfMind: HKStateOfMind.self
    case .gad7Assessment: HKGAD7Assessment.self
    case .phq9Assessment: HKPHQ9Assessment.self
    case .clinicalRecord: HKClinicalRecord.self
    case .audiogram: HKAudiogramSample.self
    case .visionPrescription: HKVisionPrescription.self
    case .cdaDocument: HKCDADocumentSample.self
    case .verifiableClinicalRecord: HKVerifiableClinicalRecord.self
    case .medicationDoseEvent: HKMedicationDoseEvent.self
    case .userAnnotatedMedication: UserAnnotatedMedicationSample.self
    case .other: HKSample.self
    }
  }

  /// The payload type of its rows, or nil if they have none.
  var payload: (any SamplePayload.Type)? {
    switch self {
    case .cumulativeQuantity, .discreteQuantity: QuantitySeriesPayload.self
    case .category, .other: nil
    case .correlation: CorrelationPayload.self
    case .workoutRoute: WorkoutRoutePayload.self
    case .heartbeatSeries: HeartbeatSeriesPayload.self
    case .electrocardiogram: ElectrocardiogramPayload.self
    case .workout: WorkoutPayload.self
    case .stateOfMind: StateOfMindPayload.self
    case .gad7Assessment, .phq9Assessment: AssessmentPayload.self
    case .clinicalRecord: ClinicalRecordPayload.self
    case .audiogram: AudiogramPayload.self
    case .visionPrescription: VisionPrescriptionPayload.self
    case .cdaDocument: CDADocumentPayload.self
    case .verifiableClinicalRecord: VerifiableClinicalRecordPayload.self
    case .medicationDoseEvent: MedicationDosePayload.self
    case .userAnnotatedMedication: UserAnnotatedMedicationPayload.self
    }
  }

  var isQuantity: Bool { self == .cumulativeQuantity || self == .discreteQuantity }
}

extension HKSample {
  /// Returns an object for one row, of the class for its type.
  ///
  /// Costs one allocation; no field of the row is decoded.
  final class func make(block: StoredBlock, row: Int32) -> HKSample {
    switch block.kind {
    case .cumulativeQuantity: HKCumulativeQuantitySample(block: block, row: row)
    case .discreteQuantity: HKDiscreteQuantitySample(block: block, row: row)
    case .category: HKCategorySample(block: block, row: row)
    case .correlation: HKCorrelation(block: block, row: row)
    case .workoutRoute: HKWorkoutRoute(block: block, row: row)
    case .heartbeatSeries: HKHeartbeatSeriesSample(block: block, row: row)
    case .electrocardiogram: HKElectrocardiogram(block: block, row: row)
    case .workout: HKWorkout(block: block, row: row)
    case .stateOfMind: HKStateOfMind(block: block, row: row)
    case .gad7Assessment: HKGAD7Assessment(block: block, row: row)
    case .phq9Assessment: HKPHQ9Assessment(block: block, row: row)
    case .clinicalRecord: HKClinicalRecord(block: block, row: row)
    case .audiogram: HKAudiogramSample(block: block, row: row)
    case .visionPrescription: HKVisionPrescription.make(of: block, at: row)
    case .cdaDocument: HKCDADocumentSample(block: block, row: row)
    case .verifiableClinicalRecord: HKVerifiableClinicalRecord(block: block, row: row)
    case .medicationDoseEvent: HKMedicationDoseEvent(block: block, row: row)
    case .userAnnotatedMedication: UserAnnotatedMedicationSample(block: block, row: row)
    case .other: HKSample(block: block, row: row)
    }
  }
}

/// The registry of payload types.
package enum SamplePayloads {
  /// The payloads of sample kinds and of child rows.
  package static let all: [any SamplePayload.Type] = [
    CorrelationPayload.self, WorkoutPayload.self, WorkoutLinksPayload.self,
    WorkoutAdditionPayload.self, WorkoutRecountPayload.self, WorkoutEffortPayload.self,
    WorkoutRoutePayload.self, HeartbeatSeriesPayload.self,
    QuantitySeriesPayload.self, ElectrocardiogramPayload.self, PointChunk.self,
    AudiogramPayload.self, VisionPrescriptionPayload.self,
    StateOfMindPayload.self, AssessmentPayload.self, ClinicalRecordPayload.self,
    CDADocumentPayload.self, VerifiableClinicalRecordPayload.self, MedicationDosePayload.self,
    UserAnnotatedMedicationPayload.self, AttachmentPayload.self, AttachmentChunk.self,
  ]
}
