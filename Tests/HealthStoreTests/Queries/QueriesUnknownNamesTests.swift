import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Queries of people without stored samples: they store no names, and a running query receives the
/// first sample.
@Suite struct QueriesUnknownNamesTests {
  private let database: Database
  private var symbols: SymbolTable { database.symbols }

  init() throws { database = try Database(path: "/names", fileSystem: MemoryFileSystem()) }

  private func store(_ subject: String) -> HKHealthStore {
    HKHealthStore(database: database, subject: subject)
  }

  private typealias Reading = @Sendable (HKHealthStore) async throws -> Void

  private static let interval = DateComponents(day: 1)

  /// Queries that return once.
  private static let once: [(name: String, read: Reading)] = [
    ("samples", { _ = try await $0.read(.quantitySample(type: testHeartRate)) }),
    (
      "categories", { _ = try await $0.read(.categorySample(type: HKCategoryType(.sleepAnalysis))) }
    ),
    ("workouts", { _ = try await $0.read(.workout()) }),
    (
      "samples of a workout",
      { store in
        let workout = HKWorkout(activityType: .running, start: testStart, end: testStart + 9)
        _ = try await store.read(
          .quantitySample(
            type: testHeartRate, predicate: HKQuery.predicateForObjects(from: workout)))
      }
    ),
    ("changes", { _ = try await $0.changes(after: nil) }),
    (
      "statistics",
      { store in
        _ = try await HKStatisticsQueryDescriptor(
          predicate: .quantitySample(type: testHeartRate), options: .discreteMax
        ).result(for: store)
      }
    ),
    (
      "statistics of intervals",
      { store in
        _ = try await HKStatisticsCollectionQueryDescriptor(
          predicate: .quantitySample(type: testSteps), options: .cumulativeSum,
          anchorDate: testStart, intervalComponents: interval
        ).result(for: store)
      }
    ),
    (
      "sources",
      { store in
        _ = try await HKSourceQueryDescriptor(predicate: .quantitySample(type: testHeartRate))
          .result(for: store)
      }
    ),
    (
      "activity summaries",
      { _ = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: $0) }
    ),
    (
      "efforts",
      { store in
        _ = try await HKWorkoutEffortRelationshipQueryDescriptor(
          predicate: nil, anchor: nil, option: .default
        ).result(for: store)
      }
    ),
    ("characteristics", { _ = try? $0.dateOfBirthComponents() }),
    ("source order", { _ = try await $0.sourceOrder(for: testSteps) }),
    ("a delivery", { _ = try await $0.backgroundDelivery(for: testHeartRate) }),
    ("deliveries", { _ = try await $0.backgroundDeliveries() }),
    ("ending a delivery", { try await $0.disableBackgroundDelivery(for: testHeartRate) }),
    ("ending deliveries", { try await $0.disableAllBackgroundDelivery() }),
    ("restarting a delivery", { _ = try? await $0.resetBackgroundDelivery(for: testHeartRate) }),
    (
      "deleting by a predicate",
      { store in
        _ = try await store.deleteObjects(
          of: testHeartRate, predicate: NSPredicate(value: true))
      }
    ),
    ("deleting what is not there", { _ = try? await $0.delete(try heartBeat(1)) }),
    ("an export", { _ = try StoredObjects($0).types }),
  ]

  /// Queries that run until they are stopped and report their first and each later result.
  private static func running(_ answer: @escaping @Sendable () -> Void) -> [HKQuery] {
    let anchored = HKAnchoredObjectQuery(
      type: testSteps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, _, _, _, _ in answer() }
    anchored.updateHandler = { _, _, _, _, _ in answer() }
    let collection = HKStatisticsCollectionQuery(
      quantityType: testSteps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: testStart, intervalComponents: interval)
    collection.initialResultsHandler = { _, _, _ in answer() }
    collection.statisticsUpdateHandler = { _, _, _, _ in answer() }
    return [
      HKObserverQuery(sampleType: testSteps, predicate: nil) { _, completion, _ in
        answer()
        completion()
      },
      anchored, collection,
    ]
  }

  @Test func `Queries of people without samples store no names`() async throws {
    try await store("ada").save(try heartBeat(60))
    let before = symbols.count
    for (name, read) in Self.once {
      for number in 0..<40 { try await read(store("\(name) \(number)")) }
      // Queries that have just ended may still hold symbols.
      #expect(symbols.count < before + 30, "\(name)")
    }
    for number in 0..<30 {
      let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
      var iterator = answers.makeAsyncIterator()
      let store = store("running \(number)")
      for query in Self.running({ continuation.yield() }) {
        store.execute(query)
        await iterator.next()
        store.stop(query)
      }
    }
    #expect(symbols.count < before + 30)
    let cohort = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: testHeartRate), options: .discreteMax
    ).result(for: store("ada"))
    #expect(cohort != nil)
  }

  @Test func `Queries of a cohort store no names`() throws {
    let open = OpenStore(database)
    let before = symbols.count
    for number in 0..<50 {
      let reader = StoreReader(open, subject: "")
      let totals = try CohortReader(reader, ["a \(number)", "b \(number)"]).totals(
        testSteps, .always, nil, [])
      #expect(totals.isEmpty)
    }
    #expect(symbols.count <= before + 3)
  }

  @Test func `A running query receives the first sample of a person`() async throws {
    for kind in 0..<3 {
      let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
      var iterator = answers.makeAsyncIterator()
      let subject = "new \(kind)"
      let query = Self.running { continuation.yield() }[kind]
      store(subject).execute(query)
      await iterator.next()
      // Other queries register and release names meanwhile, which must not reuse this query's
      // number.
      for number in 0..<20 {
        _ = try await store("other \(number)").read(.quantitySample(type: testHeartRate))
      }
      try await store(subject).save(
        HKQuantitySample(
          type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: 7), start: testStart,
          end: testStart + 1))
      await iterator.next()
      store(subject).stop(query)
      let found = try await store(subject).read(.quantitySample(type: testSteps))
      #expect(found.count == 1)
    }
  }

  @Test func `Feeds of descriptors receive the first sample of a person`() async throws {
    let store = store("eve")
    var changes = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)], anchor: nil
    ).results(for: store).makeAsyncIterator()
    #expect(try await changes.next()?.addedSamples.isEmpty == true)
    for number in 0..<20 { _ = try await self.store("\(number)").changes(after: nil) }
    try await store.save(try heartBeat(61))
    #expect(try await changes.next()?.addedSamples.count == 1)
    // The sealed sample of a person that this process has not queried yet is found as well.
    try database.compact()
    #expect(try await store.beats() == [61])
    #expect(try await self.store("unknown").beats() == [])
  }

  @Test func `Queries of unknown people do not hide a person's changes`() async throws {
    let files = MemoryFileSystem()
    let subjects = (0..<20).map { "person \($0)" }
    let first = try Database(path: "/people", fileSystem: files)
    for subject in subjects {
      try await HKHealthStore(database: first, subject: subject).save(try heartBeat(60))
    }
    try first.compact()
    try first.close()
    let database = try Database(path: "/people", fileSystem: files)
    let changes = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)], anchor: nil)
    for subject in subjects {
      // Its number is the next one, which the person would get.
      let stranger = HKHealthStore(database: database, subject: "no \(subject)")
      #expect(try await changes.result(for: stranger).addedSamples.isEmpty)
      let store = HKHealthStore(database: database, subject: subject)
      #expect(try await changes.result(for: store).addedSamples.count == 1)
    }
  }

  @Test func `A delivery to a person without samples remains that person's`() async throws {
    let test = try DeliveryStore()
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .hourly)
    try test.restart()
    let scheduler = try #require(DeliveryScheduler.of(test.database, clock: test.clock.clock))
    for subject in ["ada", "carol"] {
      let isFound = try OpenStore(test.database, clock: test.clock.clock).reading(subject) {
        let plan = try $0.plan([(testHeartRate, .always)])
        let observer = DeliveryObserver(scheduler, plan, $0) { _, _ in }
        _ = try scheduler.join(observer, end: test.database.end)
        scheduler.leave(observer)
        return scheduler.registration(of: $0.key(testHeartRate.identifier)) != nil
      }
      #expect(isFound == (subject == "ada"))
    }
  }
}
