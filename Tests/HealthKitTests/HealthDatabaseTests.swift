import HealthKit
import Testing

@Suite struct HealthDatabaseTests {
  private let directory = TemporaryDirectory()

  @Test func `each person's object sees only that person's data`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    try await database.store(subject: "ada").save(beat(60))
    try await database.store(subject: "bob").save([beat(70), beat(71, 1)])
    #expect(try await database.store(subject: "ada").samples(heartRate).beats == [60])
    #expect(try await database.store(subject: "bob").samples(heartRate).count == 2)
    #expect(try await database.store().samples(heartRate).isEmpty)
    #expect(database.store(subject: "ada").subject == "ada")
    try database.close()
  }

  @Test func `saved samples are there after the database is reopened`() async throws {
    for count in 1...3 {
      let database = try HealthDatabase(directory: directory.url)
      let store = database.store(subject: "ada")
      try await store.save(beat(60, Double(count)))
      #expect(try await store.samples(heartRate).count == count)
      try database.close()
      try database.close()
    }
  }

  @Test func `opening an unusable database throws at once`() throws {
    let error = #expect(throws: HKError.self) {
      try HealthDatabase(directory: URL(fileURLWithPath: "/dev/null/store"))
    }
    #expect(error?.code == .errorDatabaseInaccessible)
    let missing = #expect(throws: HKError.self) {
      try HealthDatabase(directory: directory.url, mode: .readOnly)
    }
    #expect(missing?.code == .errorDatabaseInaccessible)
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }

  @Test func `every call of an object reports that its database was closed`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    let store = database.store(subject: "ada")
    let sample = beat(60)
    try await store.save(sample)
    try database.close()
    let all = NSPredicate(value: true)
    let works: [() async throws -> Void] = [
      { try await store.save(beat(61)) }, { try await store.save([]) },
      { try await store.delete(sample) }, { _ = try await database.compact() },
      { _ = try await store.deleteObjects(of: heartRate, predicate: all) },
      { _ = try await store.deleteObjects(of: heartRate, olderThan: 0) },
      { _ = try await store.samples(heartRate) }, { _ = try await store.samples(steps) },
      { _ = try await store.anchored(heartRate, anchor: nil) }, { try await database.flush() },
      { _ = try await database.storeStatistics() }, { _ = try await database.metrics() },
      { _ = try await database.store(subject: "bob").samples(heartRate) },
      { _ = try await database.backup(to: directory.url.appendingPathComponent("backup")) },
      {
        let descriptor = HKAnchoredObjectQueryDescriptor(
          predicates: [.quantitySample(type: heartRate)], anchor: nil)
        for try await _ in descriptor.results(for: store) { break }
      },
      {
        let (errors, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
        let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, _, error in
          continuation.yield(error)
        }
        store.execute(query)
        for await error in errors { if let error { throw error } else { break } }
      },
    ]
    for (number, work) in works.enumerated() {
      let error = await #expect(throws: HKError.self, "\(number)") { try await work() }
      #expect(error?.code == .errorDatabaseInaccessible, "\(number)")
      #expect(error?.localizedDescription == "The store has been closed.", "\(number)")
    }
  }

  @Test func `closing ends running queries with an error`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, _, error in
      continuation.yield(error == nil)
    }
    database.store(subject: "ada").execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == true)
    try database.close()
    #expect(await iterator.next() == false)
  }

  @Test func `a database and objects of the same directory share one open store`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    let store = try HKHealthStore(directory: directory.url, subject: "ada")
    try await store.save(beat(60))
    #expect(try await database.store(subject: "ada").samples(heartRate).count == 1)
    try database.close()
    await #expect(throws: HKError.self) { try await store.save(beat(61)) }
  }

  @Test func `a read-only object of the writing process sees new commits`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    let reader = try HKHealthStore(directory: directory.url, mode: .readOnly, subject: "ada")
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, _, error in
      continuation.yield(error == nil)
    }
    reader.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == true)
    try await database.store(subject: "ada").save(beat(60))
    #expect(await iterator.next() == true)
    #expect(try await reader.samples(heartRate).beats == [60])
    let error = await #expect(throws: HKError.self) { try await reader.save(beat(61)) }
    #expect(error?.code == .errorDatabaseInaccessible)
    reader.stop(query)
    try database.close()
    #expect(try await reader.samples(heartRate).beats == [60])
  }
}
