import HealthKit
import SampleLog
import Testing

/// Operations on an object of one subject do not affect the others.
@Suite struct SubjectHandleTests {
  private let directory = TemporaryDirectory()
  private let backup = TemporaryDirectory()
  private let restored = TemporaryDirectory()

  /// Objects limited to a subject, made in each possible way.
  private func limited(_ database: HealthDatabase) throws -> [HKHealthStore] {
    [
      database.store(subject: "ada"), database.store(),
      try HKHealthStore(directory: directory.url, subject: "ada"),
      HKHealthStore.inMemory(subject: "ada"),
    ]
  }

  @Test func `closing an object of a subject closes only that object`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    let other = database.store(subject: "bob")
    for (number, store) in try limited(database).enumerated() {
      try await store.save(beat(60, Double(number)))
      try await store.close()
      try await store.close()
      let late = beat(61)
      let error = await #expect(throws: HKError.self, "\(number)") { try await store.save(late) }
      #expect(error?.code == .errorDatabaseInaccessible, "\(number)")
      #expect(error?.errorUserInfo[NSUnderlyingErrorKey] as? StoreError == .closed, "\(number)")
      #expect(await code { try await store.samples(heartRate) } == .errorDatabaseInaccessible)
      try await other.save(beat(70, Double(number)))
      #expect(try await other.samples(heartRate).count == number + 1)
    }
    #expect(try await database.store(subject: "ada").samples(heartRate).count == 2)
    try database.close()
  }

  @Test func `a query continues after the object that executed it is closed`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, _, error in
      continuation.yield(error == nil)
    }
    let store = database.store(subject: "ada")
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == true)
    try await store.close()
    try await database.store(subject: "ada").save(beat(60))
    #expect(await iterator.next() == true)
    store.stop(query)
    try database.close()
  }

  @Test func `an object of a subject refuses operations on the whole store`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    for (number, store) in try limited(database).enumerated() {
      let works: [() async throws -> Void] = [
        { try await store.flush() }, { try await store.compact() },
        { try await store.compact { _ in } }, { _ = try await store.storeStatistics() },
        { _ = try await store.metrics() }, { try await store.backup(to: backup.url) },
      ]
      for (work, call) in works.enumerated() {
        let error = await #expect(throws: HKError.self, "\(number) \(work)") { try await call() }
        #expect(error?.code == .errorInvalidArgument, "\(number) \(work)")
        #expect(error?.localizedDescription.contains("HealthDatabase") == true)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: backup.url.path))
    try database.close()
  }

  @Test func `a database has the operations on the whole store`() async throws {
    let database = try HealthDatabase(directory: directory.url)
    try await database.store(subject: "ada").save(beat(60))
    try await database.store(subject: "bob").save(beat(70))
    try await database.flush()
    try await database.compact()
    let statistics = try await database.storeStatistics()
    #expect(statistics.sampleCount == 2)
    #expect(statistics.series.map(\.subject).sorted() == ["ada", "bob"])
    #expect(try await !database.metrics().prometheusText.isEmpty)
    try await database.backup(to: backup.url)
    try database.close()
    _ = try Database.restore(from: backup.url.path, to: restored.url.path)
    let copy = try HealthDatabase(directory: restored.url)
    #expect(try await copy.subjects().map(\.subject) == ["ada", "bob"])
    try copy.close()
  }

  @Test func `an object without a subject has the operations on the store that it opened`()
    async throws
  {
    let store = try HKHealthStore(directory: directory.url)
    let other = try HKHealthStore(directory: directory.url, subject: "ada")
    try await other.save(beat(60))
    try await store.flush()
    try await store.compact()
    #expect(try await store.storeStatistics().sampleCount == 1)
    #expect(try await !store.metrics().prometheusText.isEmpty)
    try await store.backup(to: backup.url)
    #expect(FileManager.default.fileExists(atPath: backup.url.path))
    try await store.close()
    #expect(await code { try await other.samples(heartRate) } == .errorDatabaseInaccessible)
  }

  @Test func `backing up a database in memory throws`() async throws {
    let database = try HealthDatabase.inMemory()
    #expect(await code { try await database.backup(to: backup.url) } == .errorInvalidArgument)
    #expect(!FileManager.default.fileExists(atPath: backup.url.path))
  }

  @Test func `closing the last object of a subject releases the store`() async throws {
    let store = try HKHealthStore(directory: directory.url, subject: "ada")
    var options = HKHealthStore.Options()
    options.durability = .buffered
    #expect(throws: HKError.self) {
      try HKHealthStore(directory: directory.url, options: options)
    }
    try await store.close()
    let other = try HKHealthStore(directory: directory.url, options: options)
    try await other.close()
    withExtendedLifetime(store) {}
  }
}
