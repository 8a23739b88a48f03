import HealthKit
import Testing

@Suite struct MedicationTests {
  private func concept(_ name: String) -> HKHealthConceptIdentifier {
    HKHealthConceptIdentifier(domain: .medication, name: name)
  }

  private func dose(
    _ medication: String, _ status: HKMedicationDoseEvent.LogStatus, scheduled: TimeInterval? = nil
  ) throws -> HKMedicationDoseEvent {
    try HKMedicationDoseEvent.validated(
      medicationConceptIdentifier: concept(medication), logStatus: status,
      scheduledDate: scheduled.map { start + $0 },
      scheduledDoseQuantity: scheduled == nil ? nil : 2, doseQuantity: 1, start: start, end: start)
  }

  private func medication(
    _ name: String, archived: Bool = false, scheduled: Bool = false, nickname: String? = nil
  ) -> HKUserAnnotatedMedication {
    HKUserAnnotatedMedication(
      medication: HKMedicationConcept(
        identifier: concept(name), displayText: name.uppercased(), generalForm: .tablet,
        relatedCodings: [HKClinicalCoding(system: "rxnorm", version: nil, code: name)]),
      nickname: nickname, isArchived: archived, hasSchedule: scheduled)
  }

  private func list(
    _ predicate: NSPredicate? = nil, limit: Int? = nil, in store: HKHealthStore
  ) async throws -> [HKUserAnnotatedMedication] {
    try await HKUserAnnotatedMedicationQueryDescriptor(predicate: predicate, limit: limit)
      .result(for: store)
  }

  @Test func `a scheduled dose has a date and a quantity, and one as needed has neither`() throws {
    let scheduled = try dose("a", .taken, scheduled: 60)
    #expect(scheduled.scheduleType == .schedule)
    #expect(scheduled.scheduledDate == start + 60 && scheduled.scheduledDoseQuantity == 2)
    let needed = try dose("a", .taken)
    #expect(needed.scheduleType == .asNeeded)
    #expect(needed.scheduledDate == nil && needed.scheduledDoseQuantity == nil)
    #expect(needed.doseQuantity == 1 && needed.unit == .count())
    #expect(throws: HKInvalidSampleError.self) {
      try HKMedicationDoseEvent.validated(
        medicationConceptIdentifier: concept("a"), logStatus: .taken, scheduledDate: start,
        start: start, end: start)
    }
    #expect(throws: HKInvalidSampleError.self) {
      try HKMedicationDoseEvent.validated(
        medicationConceptIdentifier: concept("a"), logStatus: .taken, doseQuantity: .nan,
        start: start, end: start)
    }
  }

  @Test func `predicates admit doses by medication, status and schedule`() async throws {
    let store = HKHealthStore.inMemory()
    let taken = try dose("a", .taken, scheduled: 0)
    let skipped = try dose("a", .skipped, scheduled: 60)
    let other = try dose("b", .taken)
    try await store.save([taken, skipped, other])
    typealias Query = HKQuery
    let cases: [(NSPredicate, Set<HKSample>)] = [
      (
        Query.predicateForMedicationDoseEvent(medicationConceptIdentifier: concept("a")),
        [taken, skipped]
      ),
      (
        Query.predicateForMedicationDoseEvent(
          medicationConceptIdentifiers: [concept("b"), concept("c")]), [other]
      ),
      (Query.predicateForMedicationDoseEvent(status: .skipped), [skipped]),
      (Query.predicateForMedicationDoseEvent(statuses: [4, 5]), [taken, skipped, other]),
      (Query.predicateForMedicationDoseEvent(scheduledDate: start), [taken]),
      (
        Query.predicateForMedicationDoseEvent(scheduledDates: [start, start + 60]),
        [taken, skipped]
      ),
      (
        Query.predicateForMedicationDoseEvent(scheduledStart: start, end: start + 60), [taken]
      ),
      (
        Query.predicateForMedicationDoseEvent(scheduledStart: start + 1, end: nil), [skipped]
      ),
      (NSPredicate(format: "%K == nil", HKPredicateKeyPathScheduledDate), [other]),
      (NSPredicate(format: "%K == 1", HKPredicateKeyPathLogOrigin), [other]),
    ]
    for (predicate, expected) in cases {
      let found = try await store.samples(.medicationDoseEventType(), predicate: predicate)
      #expect(Set(found) == expected, "\(predicate)")
      #expect(try await store.samples(heartRate, predicate: predicate).isEmpty)
    }
  }

  @Test func `the list of medications has the latest version of each`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(medication("a"))
    try await store.save(medication("b", nickname: "white"))
    try await store.save(medication("a", archived: true))
    try await store.save(medication("a", archived: true, nickname: "old"))
    let all = try await list(in: store)
    #expect(
      Set(all) == [
        medication("a", archived: true, nickname: "old"), medication("b", nickname: "white"),
      ])
    #expect(all.count == 2)
    #expect(try await list(limit: 1, in: store).count == 1)
    try await store.deleteObjects(
      of: HKObjectType.userAnnotatedMedicationType(),
      predicate: HKQuery.predicateForUserAnnotatedMedications(isArchived: true))
    #expect(try await list(in: store) == [medication("b", nickname: "white")])
  }

  @Test func `predicates admit medications by schedule and archive`() async throws {
    let store = HKHealthStore.inMemory()
    let entries = [
      medication("a"), medication("b", archived: true), medication("c", scheduled: true),
    ]
    for entry in entries { try await store.save(entry) }
    let scheduled = HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true)
    #expect(try await list(scheduled, in: store) == [entries[2]])
    let current = HKQuery.predicateForUserAnnotatedMedications(isArchived: false)
    #expect(Set(try await list(current, in: store)) == [entries[0], entries[2]])
  }

  @Test func `the older query calls its handler for each medication and once at the end`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    for name in ["a", "b"] { try await store.save(medication(name)) }
    let calls = AsyncStream<(HKUserAnnotatedMedication?, Bool)> { continuation in
      store.execute(
        HKUserAnnotatedMedicationQuery(predicate: nil, limit: HKObjectQueryNoLimit) {
          _, medication, isDone, _ in
          continuation.yield((medication, isDone))
          if isDone { continuation.finish() }
        })
    }
    var names: [String?] = []
    for await (medication, isDone) in calls {
      names.append(medication?.medication.displayText)
      #expect(isDone == (medication == nil))
    }
    #expect(names == ["A", "B", nil])
  }

  @Test func `concepts, codes and entries survive an archive`() throws {
    let entry = medication("a", archived: true, nickname: "n")
    let data = try NSKeyedArchiver.archivedData(withRootObject: entry, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUserAnnotatedMedication.self, from: data)
        == entry)
    #expect(entry != medication("a", archived: true))
  }
}
