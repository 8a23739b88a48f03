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
