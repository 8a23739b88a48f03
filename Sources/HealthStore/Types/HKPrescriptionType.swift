/// The type of prescriptions, such as for glasses.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
  /// Returns whether access is authorized per prescription; always true.
  open override func requiresPerObjectAuthorization() -> Bool { true }
}
