import Foundation
import SampleLog
import Testing

@testable import HealthStore

@Suite struct StoreLifeTests {
  @Test func `stores on one directory in one process share it`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    let one = try HKHealthStore(directory: directory.url)
    let other = try HKHealthStore(
      directory: directory.url.appendingPathComponent("../\(directory.url.lastPathComponent)"))
    try await one.save(heartBeat(60))
    #expect(try await other.beats() == [60])
  }

  @Test func `a store can be opened again after its last handle is released`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    for number in 1...5 {
      let store = try HKHealthStore(directory: directory.url)
      try await store.save(heartBeat(60, at: Double(number)))
      #expect(try await store.beats().count == number)
    }
  }

  @Test func `a directory that was removed and made again is opened again`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    let before = try HKHealthStore(directory: directory.url)
    try await before.save(heartBeat(60))
    try FileManager.default.removeItem(at: directory.url)
    let after = try HKHealthStore(directory: directory.url)
    try await after.save(heartBeat(70))
    #expect(try await after.beats() == [70])
    let error = await #expect(throws: HKError.self) { try await before.save(heartBeat(80)) }
    #expect(error?.code == .errorDatabaseInaccessible)
    #expect(try await after.beats() == [70])
  }

  @Test func `a stopped query does not keep its store open`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    weak var open: OpenStore?
    let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
    let query = HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, _ in
      continuation.yield()
    }
    do {
      let store = try HKHealthStore(directory: directory.url)
      open = try store.location.open()
      store.execute(query)
      var iterator = calls.makeAsyncIterator()
      _ = await iterator.next()
      #expect(open != nil)
      store.stop(query)
      query.execution.settle()
    }
    #expect(open == nil)
  }

  @Test func `a closed store throws and can be opened again`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    let store = try HKHealthStore(directory: directory.url)
    try await store.save(heartBeat(60))
    try await store.close()
    do {
      _ = try await store.beats()
      Issue.record("a closed store was read")
    } catch HKError.errorDatabaseInaccessible {
    }
    await #expect(throws: HKError.self) { try await store.save(heartBeat(61)) }
    #expect(try await HKHealthStore(directory: directory.url).beats() == [60])
  }

  @Test func `a directory that cannot be made is an error with a message`() throws {
    #expect(throws: HKError.self) {
      try HKHealthStore(directory: URL(fileURLWithPath: "/dev/null/store"))
    }
  }

  @Test func `subjects do not see or delete each other's data`() async throws {
    let database = try Database(path: "/memory", fileSystem: MemoryFileSystem())
    let ada = HKHealthStore(database: database, subject: "ada")
    let bob = HKHealthStore(database: database, subject: "bob")
    let sample = try heartBeat(60)
    try await ada.save(sample)
    #expect(try await bob.beats() == [])
    #expect(try await bob.changes(after: nil).addedSamples.isEmpty)
    await #expect(throws: HKError.self) { try await bob.delete(sample) }
    let all = NSPredicate(value: true)
    #expect(try await bob.deleteObjects(of: testHeartRate, predicate: all) == 0)
    #expect(try await ada.beats() == [60])
  }

  @Test func `the default directory follows the environment`() {
    func path(_ environment: [String: String]) -> String {
      StoreRegistry.standardDirectory(environment).path
    }
    #expect(path(["HEALTHSTORE_PATH": "/a", "XDG_DATA_HOME": "/b"]) == "/a")
    #expect(path(["HEALTHSTORE_PATH": "", "XDG_DATA_HOME": "/b"]) == "/b/healthstore")
    #expect(path([:]).hasSuffix("/.local/share/healthstore"))
  }

  @Test func `sources and devices survive encoding`() throws {
    let revisions = [revision("a", nil), revision("ü", ""), .current, .unknown]
    for revision in revisions {
      #expect(HKSourceRevision(stored: revision.storedBytes) == revision)
    }
    let device = HKDevice.local()
    #expect(HKDevice(stored: device.storedBytes) == device)
  }

  @Test func `truncated encodings decode to nil`() {
    let bytes = revision("org.example").storedBytes
    for count in 0..<bytes.count {
      #expect(HKSourceRevision(stored: Array(bytes[..<count])) == nil)
    }
    let device = HKDevice.local().storedBytes
    for count in 0..<device.count { #expect(HKDevice(stored: Array(device[..<count])) == nil) }
    #expect(HKDevice(stored: device + [0]) == nil)
  }

  @Test func `sealing and compacting do not change query results and feeds`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    let store = try HKHealthStore(directory: directory.url)
    var samples: [HKQuantitySample] = []
    for number in 0..<300 {
      let metadata: [String: Any]? = number.isMultiple(of: 50) ? ["n": number] : nil
      let source = revision(number.isMultiple(of: 3) ? "a" : "b")
      samples.append(
        try heartBeat(
          Double(60 + number % 40), at: Double(number * 37 % 300), metadata: metadata,
          source: source))
    }
    try await store.save(Array(samples[..<200]))
    let anchor = try await store.changes(after: nil, limit: 100).newAnchor
    try await store.compact()
    try await store.save(Array(samples[200...]))
    try await store.delete([samples[10], samples[150], samples[250]])
    let query = HKQuery.predicateForObjects(from: revision("a").source)
    func answers() async throws -> [[Double]] {
      let feed = try await store.changes(after: anchor)
      return [
        try await store.beats(), try await store.beats(query),
        try await store.beats(HKQuery.predicateForObjects(withMetadataKey: "n")),
        feed.addedSamples.map { $0.quantity.doubleValue(for: testBeats) },
        [Double(feed.deletedObjects.count)],
      ]
    }
    let before = try await answers()
    #expect(before[0].count == 297)
    #expect(before[4] == [3])
    let result = try await store.compact()
    #expect(result.samplesDropped > 0)
    #expect(try await answers() == before)
    try await store.close()
    let again = try HKHealthStore(directory: directory.url)
    #expect(try await again.beats() == before[0])
    #expect(try await again.changes(after: anchor).deletedObjects.count == 3)
  }

  @Test func `an anchor older than forgotten deletions has expired`() async throws {
    var options = Database.Options()
    options.deletionRetention = .seconds(0)
    let store = HKHealthStore.inMemory(options: options)
    let sample = try heartBeat(60)
    try await store.save([sample, heartBeat(61)])
    let anchor = try await store.changes(after: nil).newAnchor
    try await store.delete(sample)
    try await store.compact()
    do {
      _ = try await store.changes(after: anchor)
      Issue.record("the anchor was accepted")
    } catch let error as HKError where error.code == .errorInvalidArgument {
      #expect(error.localizedDescription.contains("expired"))
    }
    #expect(try await store.changes(after: nil).addedSamples.count == 1)
  }

  @Test func `forgetting deletions does not expire a live reader of a quiet type`() async throws {
    var options = Database.Options()
    options.deletionRetention = .seconds(0)
    let store = HKHealthStore.inMemory(options: options)
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: testHeartRate)], anchor: nil)
    var iterator = descriptor.results(for: store).makeAsyncIterator()
    _ = try await iterator.next()
    let walk = try HKQuantitySample.validated(
      type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: testStart,
      end: testStart)
    try await store.save(walk)
    try await store.delete(walk)
    try await store.compact()
    try await store.save(heartBeat(60))
    #expect(try await iterator.next()?.addedSamples.count == 1)
  }
}
