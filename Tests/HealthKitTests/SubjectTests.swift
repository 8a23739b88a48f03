import HealthKit
import SampleLog
import Testing

/// The people of a database: listing, erasing, renaming and merging them.
@Suite struct SubjectTests {
  private let directory = TemporaryDirectory()
  private let database: HealthDatabase
  private var ada: HKHealthStore { database.store(subject: "ada") }
  private var bob: HKHealthStore { database.store(subject: "bob") }

  init() async throws {
    database = try HealthDatabase(directory: directory.url)
    for store in [database.store(subject: "ada"), database.store(subject: "bob")] {
      try await store.save([beat(60), beat(70, 10), walk(100, 20)])
    }
  }

  @Test func `people are listed in order of name with their numbers of samples`() async throws {
    try await database.store(subject: "Zoë").save(beat(1, -5))
    try await database.store(subject: "eve").setBiologicalSex(.female)
    let gone = beat(2, 500)
    try await bob.save(gone)
    try await bob.delete(gone)
    for step in 0..<2 {
      let subjects = try await database.subjects()
      #expect(subjects.map(\.subject) == ["Zoë", "ada", "bob"])
      #expect(subjects.map(\.sampleCount) == [1, 3, 3])
      #expect(subjects.map(\.firstDate) == [start.addingTimeInterval(-5), start, start])
      let ends = [start.addingTimeInterval(-5)]
      #expect(
        subjects.map(\.lastDate) == ends + [80, 80].map { start.addingTimeInterval($0) })
      #expect(subjects.allSatisfy { ($0.byteCount > 0) == (step > 0) })
      try await database.compact()
    }
    try database.close()
    #expect(await code { try await database.subjects() } == .errorDatabaseInaccessible)
  }

  @Test func `a person at the quota can save again after deleting samples`()
    async throws
  {
    let options = {
      var options = HKHealthStore.Options()
      options.subjectQuota = SubjectQuota(sampleCount: 2)
      return options
    }()
    let database = try HealthDatabase.inMemory(options: options)
    let (ada, bob) = (database.store(subject: "ada"), database.store(subject: "bob"))
    let first = beat(60)
    try await ada.save([first, beat(61, 1)])
    let error = await #expect(throws: HKError.self) { try await ada.save(beat(62, 2)) }
    #expect(error?.code == .errorInvalidArgument)
    #expect(
      error?.errorUserInfo[NSUnderlyingErrorKey] as? StoreError
        == .limitExceeded(.subjectSamples, actual: 3, allowed: 2))
    try await bob.save(beat(1))
    try await ada.delete(first)
    try await ada.save(beat(62, 2))
    #expect(try await ada.samples(heartRate).count == 2)
  }

  @Test func `names are compared byte by byte`() async throws {
    // One character in two Unicode spellings.
    try await database.store(subject: "\u{E9}").save(beat(1))
    try await database.store(subject: "e\u{301}").save([beat(2), beat(3, 1)])
    let subjects = try await database.subjects()
    #expect(subjects.count == 4)
    #expect(subjects.map(\.sampleCount).sorted() == [1, 2, 3, 3])
    #expect(try await database.erase(subject: "e\u{301}") == 2)
    #expect(try await database.store(subject: "\u{E9}").samples(heartRate).count == 1)
  }

  @Test func `erasing removes all of one person's data and none of the others'`() async throws {
    let workout = HKWorkout(activityType: .running, start: start, end: start.addingTimeInterval(60))
    try await ada.save(workout)
    let isAdded = try await withFencedContinuation { continuation in
      ada.add([beat(80, 5)], to: workout) { success, _ in continuation.resume(returning: success) }
    }
    #expect(isAdded)
    try await ada.setBiologicalSex(.female)
    try await ada.setPreferredUnit(beatsPerMinute, for: heartRate)
    try await ada.enableBackgroundDelivery(for: heartRate, frequency: .daily)
    #expect(try await database.erase(subject: "ada") == 5)
    #expect(try await database.subjects().map(\.subject) == ["bob"])
    for reopened in [false, true] {
      let database =
        reopened ? try HealthDatabase(directory: directory.url) : self.database
      let (ada, bob) = (database.store(subject: "ada"), database.store(subject: "bob"))
      for type: HKSampleType in [heartRate, steps, .workoutType()] {
        #expect(try await ada.samples(type).isEmpty)
      }
      let all = try await ada.anchored(heartRate, anchor: nil)
      #expect(all.samples?.isEmpty == true && all.deleted?.isEmpty == true)
      #expect(try ada.biologicalSex().biologicalSex == .notSet)
      #expect(try await ada.backgroundDeliveries().isEmpty)
      #expect(try await bob.samples(heartRate).beats == [60, 70])
      if !reopened {
        try await database.compact()
        try database.close()
      } else {
        try database.close()
      }
    }
  }

  @Test func `erasing ends a person's queries and anchors with an error, and no others`()
    async throws
  {
    let stored = try await ada.anchored(heartRate, anchor: nil).anchor
    let others = try await bob.anchored(heartRate, anchor: nil).anchor
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var updates = descriptor.results(for: ada).makeAsyncIterator()
    _ = try await updates.next()
    let (errors, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
    let observer = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, done, error in
      done()
      continuation.yield(error)
    }
    ada.execute(observer)
    var calls = errors.makeAsyncIterator()
    _ = await calls.next()
    try await database.erase(subject: "ada")

    let error = await #expect(throws: HKError.self) { try await updates.next() }
    #expect(error?.code == .errorNoData)
    guard case .erased(subject: "ada", _) = error?.underlyingStoreError else {
      Issue.record("\(String(describing: error))")
      return
    }
    let observed = try #require(await calls.next() ?? nil) as? HKError
    #expect(observed?.code == .errorNoData)
    #expect(
      await code { try await ada.anchored(heartRate, anchor: stored) } == .errorNoData)

    try await bob.save(beat(99, 99))
    #expect(try await bob.anchored(heartRate, anchor: others).samples?.beats == [99])
    // A new query without an anchor returns the samples saved since.
    try await ada.save(beat(42))
    #expect(try await ada.anchored(heartRate, anchor: nil).samples?.beats == [42])
  }

  @Test func `erasing ends collections with update handlers`() async throws {
    let query = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: start, intervalComponents: DateComponents(day: 1))
    let (results, continuation) = AsyncStream.makeStream(of: HKError.Code?.self)
    query.initialResultsHandler = { _, _, error in
      continuation.yield((error as? HKError)?.code)
    }
    query.statisticsUpdateHandler = { _, _, _, error in
      continuation.yield((error as? HKError)?.code)
    }
    ada.execute(query)
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try await database.erase(subject: "ada")
    #expect(await iterator.next() == .some(.errorNoData))
    #expect(
      try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: steps), options: .cumulativeSum
      ).result(for: ada) == nil)
  }

  @Test func `renaming a person keeps everything and ends the queries of the old name`()
    async throws
  {
    let stored = try await ada.anchored(heartRate, anchor: nil).anchor
    try await ada.setBiologicalSex(.female)
    let sample = beat(90, 5)
    let workout = HKWorkout(activityType: .running, start: start, end: start.addingTimeInterval(60))
    try await ada.save(workout)
    _ = try await withFencedContinuation { continuation in
      ada.add([sample], to: workout) { success, _ in continuation.resume(returning: success) }
    }
    #expect(
      await code { try await database.rename(subject: "ada", to: "bob") } == .errorInvalidArgument)
    #expect(try await database.rename(subject: "ada", to: "eve").sampleCount == 5)
    let eve = database.store(subject: "eve")
    for step in 0..<2 {
      #expect(try await database.subjects().map(\.subject) == ["bob", "eve"])
      #expect(try await Set(eve.samples(heartRate).beats) == [60, 70, 90])
      let members = HKQuery.predicateForObjects(from: workout)
      #expect(try await eve.samples(heartRate, predicate: members).map(\.uuid) == [sample.uuid])
      #expect(try eve.biologicalSex().biologicalSex == .female)
      #expect(try ada.biologicalSex().biologicalSex == .notSet)
      #expect(try await ada.samples(heartRate).isEmpty)
      if step == 0 { try await database.compact() }
    }
    #expect(await code { try await ada.anchored(heartRate, anchor: stored) } == .errorNoData)
  }

  @Test func `merging two people keeps the later version of samples that both have`() async throws {
    func versioned(_ value: Double, _ version: Int) -> HKQuantitySample {
      beat(
        value, 50,
        metadata: [HKMetadataKeySyncIdentifier: "one", HKMetadataKeySyncVersion: version])
    }
    try await ada.save(versioned(1, 2))
    try await bob.save(versioned(2, 1))
    let others = try await bob.anchored(heartRate, anchor: nil).anchor
    let move = try await database.merge(subject: "ada", into: "bob")
    #expect(move.sampleCount == 4 && move.replacedCount == 1 && move.supersededCount == 0)
    #expect(try await database.subjects().map(\.subject) == ["bob"])
    #expect(try await bob.samples(heartRate).beats.sorted() == [1, 60, 60, 70, 70])
    let news = try await bob.anchored(heartRate, anchor: others)
    #expect(news.samples?.beats.sorted() == [1, 60, 70] && news.deleted?.count == 1)
  }

  @Test func `a read-only store cannot erase a person`() async throws {
    try database.close()
    let reader = try HealthDatabase(directory: directory.url, mode: .readOnly)
    #expect(await code { try await reader.erase(subject: "ada") } == .errorDatabaseInaccessible)
    #expect(try await reader.subjects().map(\.subject) == ["ada", "bob"])
    try reader.close()
  }
}

extension HKError {
  fileprivate var underlyingStoreError: StoreError? {
    errorUserInfo[NSUnderlyingErrorKey] as? StoreError
  }
}
