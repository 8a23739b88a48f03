import HealthKit
import Testing

/// Doses, medications, states of mind and clinical records cannot be stored yet, so that these
/// compile and match nothing.
@Suite struct RecordPredicateTests {
  private static let week = DateInterval(start: start, duration: 604_800)

  private static var predicates: [NSPredicate] {
    [
      HKQuery.predicateForMedicationDoseEvent(scheduledDate: start),
      HKQuery.predicateForMedicationDoseEvent(scheduledDates: [start, week.end]),
      HKQuery.predicateForMedicationDoseEvent(scheduledStart: nil, end: nil),
      HKQuery.predicateForMedicationDoseEvent(scheduledStart: start, end: nil),
      HKQuery.predicateForMedicationDoseEvent(scheduledStart: start, end: week.end),
      HKQuery.predicateForMedicationDoseEvent(statuses: [1, 4]),
      HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true),
      HKQuery.predicateForUserAnnotatedMedications(hasSchedule: false),
      HKQuery.predicateForUserAnnotatedMedications(isArchived: false),
      HKQuery.predicateForStatesOfMind(withValence: 0.5, operatorType: .greaterThan),
      HKQuery.predicateForVerifiableClinicalRecords(withRelevantDateWithin: week),
    ]
  }

  @Test func `no sample satisfies a predicate for records`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(beat(60))
    for predicate in Self.predicates {
      #expect(try await store.samples(heartRate, predicate: predicate).isEmpty, "\(predicate)")
      #expect(!predicate.evaluate(with: beat(60)))
    }
  }

  @Test func `predicates for records are equal when they ask for the same`() {
    #expect(Set(Self.predicates).count == Self.predicates.count)
    #expect(Set(Self.predicates + Self.predicates).count == Self.predicates.count)
  }
}
