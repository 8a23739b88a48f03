import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Every kind of query hides the samples that a policy hides.
@Suite struct ReadAccessTests {
  private static let readings = AuthorizedReading.queries + AuthorizedReading.descriptors

  private func store(reading answer: AuthorizationPolicy.Answer?) -> HKHealthStore {
    let store = HKHealthStore.inMemory()
    var policy = AuthorizationPolicy(source: AuthorizedReading.program, otherTypes: .granted)
    policy.reading[testHeartRate] = answer
    store.authorization = policy
    return store
  }

  @Test(arguments: readings) func `a denied read returns only the program's own samples`(
    reading: AuthorizedReading
  ) async throws {
    let store = store(reading: .denied)
    #expect(try await reading.values(store) == [AuthorizedReading.own])
  }

  @Test(arguments: readings) func `a granted read returns all samples`(
    reading: AuthorizedReading
  ) async throws {
    let all: Set = [AuthorizedReading.own, AuthorizedReading.others]
    #expect(try await reading.values(store(reading: .granted)) == all)
  }

  @Test(arguments: readings) func `a read without an authorization request is an error`(
    reading: AuthorizedReading
  ) async throws {
    let store = HKHealthStore.inMemory()
    store.authorization = AuthorizationPolicy(
      source: AuthorizedReading.program, sharing: [testHeartRate: .granted])
    if reading.name == "HKCorrelationQuery" {
      store.authorization?.reading[HKQuantityType(.bodyMass)] = .granted
    }
    let error = await #expect(throws: HKError.self) { _ = try await reading.values(store) }
    #expect(error?.code == .errorAuthorizationNotDetermined)
  }

  @Test func `every kind of query is tested`() throws {
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/HealthStore")
    let declaration = /(?:class|struct) (HK\w+)(?:<\w+>)?: (?:HKQuery|HKAsync\w*Query)\b/
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var declared: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      declared.formUnion(text.matches(of: declaration).map { String($0.output.1) })
    }
    #expect(declared.count > 5)
    // These return no heart rates.
    let others: Set = [
      "HKElectrocardiogramQuery", "HKElectrocardiogramQueryDescriptor", "HKHeartbeatSeriesQuery",
      "HKHeartbeatSeriesQueryDescriptor", "HKWorkoutRouteQuery", "HKWorkoutRouteQueryDescriptor",
      "HKDocumentQuery", "HKVerifiableClinicalRecordQuery",
      "HKVerifiableClinicalRecordQueryDescriptor", "HKUserAnnotatedMedicationQuery",
      "HKUserAnnotatedMedicationQueryDescriptor", "HKWorkoutEffortRelationshipQuery",
      "HKWorkoutEffortRelationshipQueryDescriptor", "HKActivitySummaryQuery",
      "HKActivitySummaryQueryDescriptor",
      "HKCategoryDurationCollectionQueryDescriptor",
    ]
    #expect(declared == others.union(Self.readings.map(\.name)))
  }

  @Test func `queries of records and medications return only what a policy allows`() async throws {
    let store = HKHealthStore.inMemory()
    for source in [AuthorizedReading.program, revision("watch").source] {
      store.authorization = AuthorizationPolicy(source: source, otherTypes: .granted)
      try await store.save([FamilyFixtures.document(), FamilyFixtures.card()])
      try await store.save(
        HKUserAnnotatedMedication(
          medication: HKMedicationConcept(
            identifier: FamilyFixtures.aspirin, displayText: source.name)))
    }
    func counts(_ answer: AuthorizationPolicy.Answer?) async throws -> [Int] {
      store.authorization = AuthorizationPolicy(
        source: AuthorizedReading.program, otherTypes: answer)
      var (_, documents) = AuthorizedReading.answers(of: store) { report in
        HKDocumentQuery(
          documentType: HKDocumentType(.CDA), predicate: nil, limit: 0, sortDescriptors: nil,
          includeDocumentData: true
        ) { report($1, $3) }
      }
      var (_, cards) = AuthorizedReading.answers(of: store) { report in
        HKVerifiableClinicalRecordQuery(recordTypes: [], predicate: nil) { report($1, $2) }
      }
      var (_, entries) = AuthorizedReading.answers(of: store) { report in
        HKUserAnnotatedMedicationQuery(predicate: nil, limit: 0) { report($1, $3) }
      }
      let found = [
        try await documents.next()?.count ?? 0, try await cards.next()?.count ?? 0,
        try await HKVerifiableClinicalRecordQueryDescriptor(
          recordTypes: [], sourceTypes: [.smartHealthCard]
        ).result(for: store).count,
        try await HKUserAnnotatedMedicationQueryDescriptor().result(for: store).count,
      ]
      var medications = 0
      do {
        while try await entries.next() != nil { medications += 1 }
      } catch {
        if answer == nil { throw error }
      }
      return found + [medications]
    }
    #expect(try await counts(.granted) == [2, 2, 2, 2, 2])
    #expect(try await counts(.denied) == [1, 1, 1, 1, 1])
    let error = await #expect(throws: HKError.self) { _ = try await counts(nil) }
    #expect(error?.code == .errorAuthorizationNotDetermined)
  }

  @Test func `efforts include only the program's own workouts and ratings`() async throws {
    let store = HKHealthStore.inMemory()
    for source in [AuthorizedReading.program, revision("watch").source] {
      store.authorization = AuthorizationPolicy(source: source, otherTypes: .granted)
      let workout = HKWorkout(activityType: .running, start: testStart, end: testStart + 600)
      try await store.save(workout)
      let score = HKQuantitySample(
        type: HKQuantityType(.workoutEffortScore),
        quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 5), start: testStart,
        end: testStart + 600)
      try await store.relateWorkoutEffortSample(score, with: workout, activity: nil)
    }
    func counts(_ answer: AuthorizationPolicy.Answer?) async throws -> [Int] {
      store.authorization = AuthorizationPolicy(
        source: AuthorizedReading.program, otherTypes: answer)
      var (_, reports) = AuthorizedReading.answers(of: store) { report in
        HKWorkoutEffortRelationshipQuery(predicate: nil, anchor: nil, options: .default) {
          report($1, $3)
        }
      }
      let descriptor = HKWorkoutEffortRelationshipQueryDescriptor(
        predicate: nil, anchor: nil, option: .default)
      return [
        try await reports.next()?.count ?? 0,
        try await descriptor.result(for: store).relationships.count,
      ]
    }
    #expect(try await counts(.granted) == [2, 2])
    #expect(try await counts(.denied) == [1, 1])
    let error = await #expect(throws: HKError.self) { _ = try await counts(nil) }
    #expect(error?.code == .errorAuthorizationNotDetermined)
  }

  @Test func `category durations include only the program's own samples`() async throws {
    let store = HKHealthStore.inMemory()
    let type = HKCategoryType(.sleepAnalysis)
    for (seconds, source) in [(60.0, AuthorizedReading.program), (600, revision("watch").source)] {
      try await store.save(
        HKCategorySample.validated(
          type: type, value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: testStart,
          end: testStart + seconds,
          sourceRevision: HKSourceRevision(source: source, version: nil)))
    }
    store.authorization = AuthorizationPolicy(
      source: AuthorizedReading.program, reading: [type: .denied])
    let durations = try await HKCategoryDurationCollectionQueryDescriptor(
      predicate: .categorySample(type: type), anchorDate: testStart,
      intervalComponents: AuthorizedReading.days
    ).result(for: store)
    #expect(durations.map { $0.duration(of: HKCategoryValueSleepAnalysis.asleepREM) } == [60])
  }

  @Test func `activity summaries have a permission of their own`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(
      HKQuantitySample(
        type: HKQuantityType(.appleExerciseTime),
        quantity: HKQuantity(unit: .minute(), doubleValue: 30), start: testStart, end: testStart))
    func count(_ answer: AuthorizationPolicy.Answer?) async throws -> (Int, Int?) {
      store.authorization = AuthorizationPolicy(
        source: AuthorizedReading.program,
        reading: answer.map { [.activitySummaryType(): $0] } ?? [:])
      let descriptor = HKActivitySummaryQueryDescriptor(predicate: nil)
      var live = descriptor.results(for: store).makeAsyncIterator()
      return (try await descriptor.result(for: store).count, try await live.next()?.count)
    }
    #expect(try await count(.granted) == (1, 1))
    #expect(try await count(.denied) == (0, 0))
    let error = await #expect(throws: HKError.self) { _ = try await count(nil) }
    #expect(error?.code == .errorAuthorizationNotDetermined)
  }

  @Test func `deleted objects of other sources are hidden like their samples`() async throws {
    let store = store(reading: .denied)
    let own = try heartBeat(60)
    let others = try heartBeat(150, source: revision("watch"))
    try await store.save([own, others])
    let anchor = try await store.changes(after: nil).newAnchor
    let policy = store.authorization
    store.authorization = nil
    try await store.delete([own, others])
    store.authorization = policy
    #expect(try await store.changes(after: anchor).deletedObjects.map(\.uuid) == [own.uuid])
    store.authorization?.reading[testHeartRate] = .granted
    #expect(try await store.changes(after: anchor).deletedObjects.count == 2)
  }

  @Test func `granting does not replay changes before an anchor`() async throws {
    let store = store(reading: .denied)
    try await AuthorizedReading.save(into: store)
    let before = try await store.changes(after: nil)
    store.authorization?.reading[testHeartRate] = .granted
    let after = try await store.changes(after: before.newAnchor)
    #expect(after.addedSamples.isEmpty)
    #expect(try await store.changes(after: nil).addedSamples.count == 2)
  }

  @Test func `a running query keeps the policy from its start`() async throws {
    let store = store(reading: .denied)
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)], anchor: nil)
    var results = descriptor.results(for: store).makeAsyncIterator()
    _ = try await results.next()
    store.authorization = nil
    try await store.save(try heartBeat(150, source: revision("watch")))
    try await store.save(
      try heartBeat(
        60,
        source: HKSourceRevision(
          source: AuthorizedReading.program, version: nil)))
    #expect(AuthorizedReading.values(try await results.next()?.addedSamples ?? []) == [60])
  }

  @Test func `a predicate is never evaluated on hidden samples`() async throws {
    let store = store(reading: .denied)
    try await AuthorizedReading.save(into: store)
    let shown = Locked<Set<Double>>([])
    let predicate = NSPredicate { object, _ in
      let values = AuthorizedReading.values([object as? HKSample].compactMap { $0 })
      shown.withLock { $0.formUnion(values) }
      return true
    }
    #expect(try await store.beats(predicate) == [60])
    #expect(shown.withLock { $0 } == [60])
  }

  @Test func `a statistic has the unit of the program's own samples`() async throws {
    let store = store(reading: .denied)
    let perSecond = HKUnit.count().unitDivided(by: .second())
    try await store.save([
      try HKQuantitySample.validated(
        type: testHeartRate, quantity: HKQuantity(unit: perSecond, doubleValue: 2),
        start: testStart, end: testStart, sourceRevision: revision("watch")),
      try heartBeat(60, at: 1),
    ])
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: testHeartRate), options: .discreteMax
    ).result(for: store)
    #expect(statistics?.maximumQuantity()?.description == "60 count/min")
  }

  @Test func `a correlation without a readable object is hidden`() async throws {
    let store = store(reading: .granted)
    let pressure = HKCorrelationType(.bloodPressure)
    let unit = HKUnit.millimeterOfMercury()
    let types = [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
    let objects = try types.map { type in
      try HKQuantitySample.validated(
        type: type, quantity: HKQuantity(unit: unit, doubleValue: 100), start: testStart,
        end: testStart, sourceRevision: revision("cuff"))
    }
    try await store.save(
      try HKCorrelation.validated(
        type: pressure, start: testStart, end: testStart, objects: Set(objects),
        sourceRevision: revision("cuff")))
    func found() async throws -> [HKCorrelation] {
      try await store.read(.correlation(type: pressure))
    }
    #expect(try await found().first?.objects.count == 2)
    store.authorization?.reading[types[0]] = .denied
    #expect(try await found().first?.objects.map(\.sampleType) == [types[1]])
    store.authorization?.reading[types[1]] = .denied
    #expect(try await found().isEmpty)
    store.authorization?.reading[types[0]] = .granted
    store.authorization?.reading[types[1]] = nil
    store.authorization?.otherTypes = nil
    #expect(try await found().first?.objects.map(\.sampleType) == [types[0]])
  }
}
