import HealthKit

// Clinical records unchanged, and vital signs as observations of its own.

struct FHIRDocument: Equatable, Sendable {
  var resourceType: String
  var identifier: String
  var release: String
  var body: Data
}

class FHIRUploader {
  private let store: HKHealthStore

  init(store: HKHealthStore) { self.store = store }

  static let recordTypes: [HKClinicalType] = [
    HKClinicalTypeIdentifier.allergyRecord, .conditionRecord, .immunizationRecord,
    .labResultRecord, .medicationRecord, .procedureRecord, .vitalSignRecord, .coverageRecord,
  ].compactMap { HKObjectType.clinicalType(forIdentifier: $0) }

  func requestAccess() async throws {
    try await store.requestAuthorization(toShare: [], read: Set(Self.recordTypes))
  }

  func documents(_ type: HKClinicalType) async throws -> [FHIRDocument] {
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.clinicalRecord(type: type)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .forward)])
    return try await descriptor.result(for: store).compactMap { record in
      guard let resource = record.fhirResource else { return nil }
      return FHIRDocument(
        resourceType: resource.resourceType.rawValue, identifier: resource.identifier,
        release: resource.fhirVersion.stringRepresentation, body: resource.data)
    }
  }

  func records(
    named identifier: String, from source: HKSource, of resourceType: HKFHIRResourceType
  ) async throws -> [HKClinicalRecord] {
    let predicate = HKQuery.predicateForClinicalRecords(
      from: source, fhirResourceType: resourceType, identifier: identifier)
    return try await withCheckedThrowingContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: HKClinicalType(.immunizationRecord), predicate: predicate, limit: 10,
        sortDescriptors: nil
      ) { _, samples, error in
        if let records = samples as? [HKClinicalRecord] {
          continuation.resume(returning: records)
        } else {
          continuation.resume(throwing: error ?? HKError(.errorNoData))
        }
      }
      store.execute(query)
    }
  }

  /// Blood pressures as R4 observations.
  func bloodPressures() async throws -> [[String: Any]] {
    let type = HKCorrelationType(.bloodPressure)
    let systolic = HKQuantityType(.bloodPressureSystolic)
    let diastolic = HKQuantityType(.bloodPressureDiastolic)
    let correlations = try await HKSampleQueryDescriptor(
      predicates: [.correlation(type: type)], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    return correlations.compactMap { correlation in
      guard let upper = correlation.objects(for: systolic).first as? HKQuantitySample,
        let lower = correlation.objects(for: diastolic).first as? HKQuantitySample
      else { return nil }
      return [
        "resourceType": "Observation",
        "id": correlation.uuid.uuidString,
        "effectiveDateTime": ISO8601DateFormatter().string(from: correlation.startDate),
        "component": [
          component("8480-6", upper.quantity), component("8462-4", lower.quantity),
        ],
      ]
    }
  }

  private func component(_ code: String, _ quantity: HKQuantity) -> [String: Any] {
    [
      "code": ["coding": [["system": "http://loinc.org", "code": code]]],
      "valueQuantity": [
        "value": quantity.doubleValue(for: .millimeterOfMercury()), "unit": "mm[Hg]",
      ],
    ]
  }
}
