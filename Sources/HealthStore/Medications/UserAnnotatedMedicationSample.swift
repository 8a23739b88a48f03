/// An entry of a subject's medication list, as stored.
final class UserAnnotatedMedicationSample: HKSample, @unchecked Sendable {
  override class var payloadType: (any SamplePayload.Type)? { UserAnnotatedMedicationPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is UserAnnotatedMedicationPayload
  }

  var medication: HKUserAnnotatedMedication {
    payload(UserAnnotatedMedicationPayload.self).medication
  }
}
