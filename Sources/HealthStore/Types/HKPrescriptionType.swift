/// The type of prescriptions, such as for glasses.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
  /// Whether access is granted prescription by prescription, which it is.
  open override func requiresPerObjectAuthorization() -> Bool { true }
}
