import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Properties shared by the samples of every family that has a payload.
@Suite struct FamilyTests {
  @Test func `a query returns a sample as it was saved`() async throws {
    let store = HKHealthStore.inMemory()
    let samples = try FamilyFixtures.all
    try await store.save(samples)
    for sample in samples {
      let read = try await store.read(.sample(type: sample.sampleType))
      #expect(read.contains { $0.contents == sample.contents }, "\(sample)")
      let only = HKQuery.predicateForObject(with: sample.uuid)
      let found = try await store.read(.sample(type: sample.sampleType, predicate: only))
      #expect(found.map(\.contents) == [sample.contents])
    }
  }

  @Test func `a feed delivers a sample and then its deletion`() async throws {
    let store = HKHealthStore.inMemory()
    for sample in try FamilyFixtures.all {
      func changes(
        after anchor: HKQueryAnchor?
      ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
        try await HKAnchoredObjectQueryDescriptor(
          predicates: [.sample(type: sample.sampleType)], anchor: anchor
        ).result(for: store)
      }
      let before = try await changes(after: nil).newAnchor
      try await store.save(sample)
      let saved = try await changes(after: before)
      #expect(saved.addedSamples.map(\.contents) == [sample.contents])
      try await store.delete(sample)
      let deleted = try await changes(after: saved.newAnchor)
      #expect(deleted.deletedObjects.map(\.uuid) == [sample.uuid])
      #expect(deleted.addedSamples.isEmpty)
    }
  }

  @Test func `a sample survives an archive, built or read`() async throws {
    let store = HKHealthStore.inMemory()
    for sample in try FamilyFixtures.all {
      try await store.save(sample)
      let only = HKQuery.predicateForObject(with: sample.uuid)
      let read = try await store.read(.sample(type: sample.sampleType, predicate: only))
      for object in [sample] + read {
        let data = try NSKeyedArchiver.archivedData(
          withRootObject: object, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: object), from: data)
        #expect(back?.contents == object.contents)
      }
    }
  }

  @Test func `an archive with an invalid payload decodes to nil`() throws {
    for sample in try FamilyFixtures.all {
      let bytes = try #require(sample.materialized.payload?.encoded)
      for broken in [[], Array(bytes.dropLast()), bytes + [0], [99] + bytes.dropFirst()] {
        let type = try #require(sample.sampleKind.payload)
        #expect(broken.withUnsafeBytes { type.init($0) } == nil)
      }
    }
  }

  @Test func `samples survive closing, backup and restoring`() async throws {
    let (directory, copy, restored) = (StoreDirectory(), StoreDirectory(), StoreDirectory())
    let samples = try FamilyFixtures.all
    let store = try HKHealthStore(directory: directory.url)
    try await store.save(samples)
    try await store.flush()
    _ = try await store.compact()
    _ = try await store.backup(to: copy.url)
    try await store.close()
    try Database.restore(from: copy.url.path, to: restored.url.path)
    for url in [directory.url, copy.url, restored.url] {
      let again = try HKHealthStore(directory: url, mode: .readOnly)
      for sample in samples {
        let read = try await again.read(.sample(type: sample.sampleType))
        #expect(read.contains { $0.contents == sample.contents }, "\(sample)")
      }
      try await again.close()
    }
  }

  @Test func `a replacement by sync identifier has only the new content`() async throws {
    let store = HKHealthStore.inMemory()
    for (version, valence) in [(1, -0.5), (2, 0.5)] {
      try await store.save(
        HKStateOfMind(
          date: testStart, kind: .dailyMood, valence: valence, labels: [], associations: [],
          metadata: [HKMetadataKeySyncIdentifier: "day", HKMetadataKeySyncVersion: version]))
    }
    #expect(try await store.read(.stateOfMind()).map(\.valence) == [0.5])
  }

  @Test func `a row with an invalid payload is damage that names the file`() async throws {
    for kind in FamilyFixtures.types {
      let database = try Database(path: "store", fileSystem: MemoryFileSystem())
      let store = HKHealthStore(database: database)
      var batch = Batch()
      let type = database.symbols.intern(kind.identifier)
      batch.add(to: SeriesKey(subject: 0, type: type), start: 0, value: 0)
      try database.commit(batch)
      let error = await #expect(throws: HKError.self) {
        _ = try await store.read(.sample(type: kind))
      }
      let cause = error?.userInfo[NSUnderlyingErrorKey] as? StoreError
      guard case .damaged(let file, _, _)? = cause else {
        Issue.record("\(kind): \(String(describing: cause))")
        continue
      }
      #expect(file.hasSuffix(".log"))
    }
  }

  @Test func `a policy that denies a type denies saving and reading its samples`() async throws {
    for sample in try FamilyFixtures.all {
      let store = HKHealthStore.inMemory()
      try await store.save(sample)
      store.authorization = AuthorizationPolicy(
        source: HKSource(name: "Other", bundleIdentifier: "org.example.other"),
        sharing: [sample.sampleType: .denied], reading: [sample.sampleType: .denied])
      #expect(try await store.read(.sample(type: sample.sampleType)).isEmpty)
      #expect(store.authorizationStatus(for: sample.sampleType) == .sharingDenied)
      await #expect(throws: HKError.self) { try await store.save(sample) }
    }
  }
}

extension FamilyFixtures {
  /// The distinct types of the fixtures.
  fileprivate static var types: [HKSampleType] {
    (try? Set(all.map(\.sampleType)))?.sorted { $0.identifier < $1.identifier } ?? []
  }
}
