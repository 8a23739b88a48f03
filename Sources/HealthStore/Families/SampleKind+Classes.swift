// The sample class and the payload type of each sample kind.
extension SampleKind {
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
  var payload: (any SamplePayload.Type)? { sampleClass.payloadType }
}

extension HKSample {
  /// Returns an object for one row, of the class that corresponds to its type.
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
