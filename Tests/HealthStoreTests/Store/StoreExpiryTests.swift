import Foundation
import SampleLog
import Testing

@testable import HealthStore

@Suite struct StoreExpiryTests {
  private let day = 86_400.0
  private var now: Date { testStart.addingTimeInterval(100 * day) }

  private func walk(_ count: Double, at offset: TimeInterval) throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: testStart.addingTimeInterval(offset), end: testStart.addingTimeInterval(offset))
  }

  @Test func `a policy deletes older samples, by type, of one subject`() async throws {
    let database = try Database(path: "/memory", fileSystem: MemoryFileSystem())
    let ada = HKHealthStore(database: database, subject: "ada")
    let bob = HKHealthStore(database: database, subject: "bob")
    for store in [ada, bob] {
      // 100, 70 and 10 days old, and exactly 30.
      try await store.save([0, 30, 90, 70].map { try heartBeat(60 + $0, at: $0 * day) })
      try await store.save([0, 90].map { try walk($0, at: $0 * day) })
    }
    let policy = ExpiryPolicy(ages: [testHeartRate: 30 * day])
    #expect(try await ada.deleteExpired(policy, asOf: now) == 2)
    #expect(try await ada.beats() == [130, 150])
    #expect(try await bob.beats().count == 4)
    let steps = try await ada.read(.quantitySample(type: testSteps))
    #expect(steps.count == 2)
    let rest = ExpiryPolicy(ages: [testHeartRate: .infinity], otherTypes: 50 * day)
    #expect(try await ada.deleteExpired(rest, asOf: now) == 1)
    #expect(try await ada.beats() == [130, 150])
    #expect(try await ada.deleteExpired(ExpiryPolicy(), asOf: now) == 0)
  }

  @Test func `samples of a type that ended too long before the present are deleted`() async throws {
    let store = HKHealthStore.inMemory()
    let present = Date()
    func sample(_ age: TimeInterval) throws -> HKQuantitySample {
      try HKQuantitySample.validated(
        type: testHeartRate, quantity: HKQuantity(unit: testBeats, doubleValue: age),
        start: present.addingTimeInterval(-age), end: present.addingTimeInterval(-age))
    }
    try await store.save([sample(3600), sample(60)])
    #expect(try await store.deleteObjects(of: testHeartRate, olderThan: 1800) == 1)
    #expect(try await store.beats() == [60])
  }

  @Test func `an anchored query reports expired samples as deleted objects`() async throws {
    let store = HKHealthStore.inMemory()
    let old = try heartBeat(60, metadata: ["n": 1])
    try await store.save([old, heartBeat(61, at: 90 * day)])
    let anchor = try await store.changes(after: nil).newAnchor
    try await store.deleteExpired(ExpiryPolicy(otherTypes: 30 * day), asOf: now)
    let changes = try await store.changes(after: anchor)
    #expect(changes.addedSamples.isEmpty)
    #expect(changes.deletedObjects.map(\.uuid) == [old.uuid])
    #expect(try await store.changes(after: changes.newAnchor).deletedObjects.isEmpty)
  }

  @Test func `the sync identifier of an expired sample can be saved again`() async throws {
    let store = HKHealthStore.inMemory()
    let sync: [String: Any] = [HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: 3]
    try await store.save(heartBeat(60, metadata: sync))
    try await store.deleteExpired(ExpiryPolicy(otherTypes: 30 * day), asOf: now)
    try await store.save(heartBeat(61, at: 90 * day, metadata: sync))
    #expect(try await store.beats() == [61])
    // A live sample of the same version would be kept instead.
    try await store.save(heartBeat(62, at: 91 * day, metadata: sync))
    #expect(try await store.beats() == [61])
  }

  @Test func `the objects of an expired correlation are kept without it`() async throws {
    let store = HKHealthStore.inMemory()
    func pressure(_ type: HKQuantityType, _ value: Double) throws -> HKQuantitySample {
      try HKQuantitySample.validated(
        type: type, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
        start: testStart, end: testStart)
    }
    let systolic = HKQuantityType(.bloodPressureSystolic)
    let diastolic = HKQuantityType(.bloodPressureDiastolic)
    let type = HKCorrelationType(.bloodPressure)
    func correlation() throws -> HKCorrelation {
      HKCorrelation(
        type: type, start: testStart, end: testStart,
        objects: [try pressure(systolic, 120), try pressure(diastolic, 80)])
    }
    try await store.save(correlation())
    #expect(
      try await store.deleteExpired(ExpiryPolicy(ages: [type: 30 * day]), asOf: now) == 1)
    #expect(try await store.read(.correlation(type: type)).isEmpty)
    #expect(try await store.read(.quantitySample(type: systolic)).count == 1)
    try await store.save(correlation())
    #expect(
      try await store.deleteExpired(ExpiryPolicy(ages: [systolic: 30 * day]), asOf: now) == 2)
    let left = try await store.read(.correlation(type: type))
    #expect(left.map(\.objects.count) == [1])
  }

  @Test(arguments: [-1, Double.nan, -Double.infinity])
  func `an invalid age is refused with a message`(age: TimeInterval) async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(heartBeat(60))
    do {
      _ = try await store.deleteObjects(of: testHeartRate, olderThan: age)
      Issue.record("the age was accepted")
    } catch let error as HKError where error.code == .errorInvalidArgument {
      #expect(error.localizedDescription.contains("number of seconds from 0 on"))
    }
    #expect(try await store.beats() == [60])
  }

  @Test func `a read-only store expires nothing`() async throws {
    let disk = MemoryFileSystem()
    try Database(path: "/memory", fileSystem: disk).close()
    let reader = HKHealthStore(
      database: try Database(path: "/memory", mode: .readOnly, fileSystem: disk))
    do {
      _ = try await reader.deleteObjects(of: testHeartRate, olderThan: 0)
      Issue.record("a read-only store deleted samples")
    } catch let error as HKError where error.code == .errorDatabaseInaccessible {
      #expect(error.userInfo[NSUnderlyingErrorKey] as? StoreError == .readOnly)
    }
  }

  @Test func `a cancelled task leaves whole commits and throws`() async throws {
    var options = Database.Options()
    options.expiryBatchCount = 10
    let store = HKHealthStore.inMemory(options: options)
    try await store.save((0..<1000).map { try heartBeat(60, at: Double($0)) })
    let policy = ExpiryPolicy(otherTypes: 30 * day)
    let task = Task { try await store.deleteExpired(policy, asOf: now) }
    // Receives some deletions and then stops the work at any point.
    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)], anchor: nil)
    for try await update in feed.results(for: store) where !update.deletedObjects.isEmpty {
      break
    }
    task.cancel()
    let left: Int
    do {
      let deleted = try await task.value
      left = 1000 - deleted
    } catch is CancellationError {
      left = try await store.beats().count
    }
    #expect(left % 10 == 0)
    #expect(left < 1000)
    #expect(try await store.deleteExpired(policy, asOf: now) == left)
    #expect(try await store.changes(after: nil).deletedObjects.count == 1000)
  }
}
