import HealthKit
import Testing

@Suite struct SourceQueryTests {
  let store = HKHealthStore.inMemory()

  private static let sources = ["org.example.b", "org.example.a"].map {
    HKSource(name: $0.uppercased(), bundleIdentifier: $0)
  }

  private func beat(_ value: Double, _ offset: Double, by index: Int) throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: heartRate, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: value),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset),
      sourceRevision: HKSourceRevision(source: Self.sources[index], version: "\(value)"))
  }

  private func sources(
    _ type: HKSampleType, _ predicate: NSPredicate? = nil
  ) async throws -> Set<HKSource>? {
    try await withFencedContinuation { continuation in
      let query = HKSourceQuery(sampleType: type, samplePredicate: predicate) { _, found, error in
        continuation.resume(with: error.map(Result.failure) ?? .success(found))
      }
      store.execute(query)
    }
  }

  @Test func `each source of samples of the type is found once`() async throws {
    let mine = try beat(62, 2, by: 0)
    try await store.save([beat(60, 0, by: 0), beat(61, 1, by: 1), mine, walk(3)])
    #expect(try await sources(heartRate) == Set(Self.sources))
    #expect(try await sources(steps) == [.default()])
    #expect(try await sources(HKQuantityType(.bodyMass)) == [])
  }

  @Test func `the predicate filters by the samples`() async throws {
    try await store.save([beat(60, 0, by: 0), beat(161, 100, by: 1)])
    let fast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 100))
    #expect(try await sources(heartRate, fast) == [Self.sources[1]])
    let early = HKQuery.predicateForSamples(withStart: nil, end: start.addingTimeInterval(50))
    #expect(try await sources(heartRate, early) == [Self.sources[0]])
    let block = NSPredicate { object, _ in
      (object as? HKQuantitySample)?.sourceRevision.version == "161.0"
    }
    #expect(try await sources(heartRate, block) == [Self.sources[1]])
    #expect(try await sources(heartRate, NSPredicate(value: false)) == [])
  }

  @Test func `a predicate may name sources in a format`() async throws {
    try await store.save([beat(60, 0, by: 0), beat(61, 1, by: 1)])
    let named = NSPredicate(format: "source.bundleIdentifier ENDSWITH %@", ".a")
    #expect(try await sources(heartRate, named) == [Self.sources[1]])
  }

  @Test func `a source whose samples are deleted is not found`() async throws {
    let only = try beat(60, 0, by: 0)
    try await store.save([only, beat(61, 1, by: 1)])
    try await store.delete(only)
    #expect(try await sources(heartRate) == [Self.sources[1]])
  }

  @Test func `other people's sources are not found`() async throws {
    try await store.save(beat(60, 0, by: 0))
    let directory = TemporaryDirectory()
    let ada = try HKHealthStore(directory: directory.url, subject: "ada")
    let bob = try HKHealthStore(directory: directory.url, subject: "bob")
    try await ada.save(beat(60, 0, by: 0))
    let query = HKSourceQueryDescriptor(predicate: .quantitySample(type: heartRate))
    #expect(try await query.result(for: bob) == [])
    #expect(try await query.result(for: ada) == [Self.sources[0]])
  }

  @Test func `a descriptor returns the sources in order of their identifiers`() async throws {
    try await store.save([beat(60, 0, by: 0), beat(61, 1, by: 1), beat(62, 2, by: 0)])
    var query = HKSourceQueryDescriptor(predicate: .quantitySample(type: heartRate))
    #expect(try await query.result(for: store) == [Self.sources[1], Self.sources[0]])
    query.predicate = .quantitySample(type: steps)
    #expect(try await query.result(for: store) == [])
    let any = HKSourceQueryDescriptor(predicate: .sample(type: heartRate))
    #expect(try await any.result(for: store).count == 2)
  }

  @Test func `a closed store returns an error and nil`() async throws {
    try await store.save(beat(60, 0, by: 0))
    try await store.close()
    do {
      _ = try await sources(heartRate)
      Issue.record("a closed store returned sources")
    } catch let error as HKError {
      #expect(error.code == .errorDatabaseInaccessible)
    }
  }
}
