/// The type of verifiable clinical records, which is not public in HealthKit.
final class VerifiableClinicalRecordType: HKSampleType, @unchecked Sendable {}
