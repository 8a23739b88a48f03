import Foundation
import Testing

@testable import HealthStore

@Suite struct MedicationPayloadTests {
  private func payload(_ codes: [HKClinicalCoding]) -> [UInt8] {
    UserAnnotatedMedicationPayload(
      HKUserAnnotatedMedication(
        medication: HKMedicationConcept(
          identifier: HKHealthConceptIdentifier(domain: .medication, name: "a"),
          displayText: "A", generalForm: .tablet, relatedCodings: Set(codes)),
        nickname: nil, isArchived: false, hasSchedule: false)
    ).encoded
  }

  @Test func `equal medications have equal payloads, whatever the order of their codes`() {
    // Codes with equal hashes usually keep their insertion order in a set.
    for code in 0..<50 {
      let codes = [nil, "", "2026"].map {
        HKClinicalCoding(system: "rxnorm", version: $0, code: "\(code)")
      }
      #expect(payload(codes) == payload(codes.reversed()))
    }
  }
}
