import HealthKit
import Testing

@Suite struct AnchorTests {
  func archive(_ anchor: HKQueryAnchor?) throws -> Data {
    let anchor = try #require(anchor)
    return try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
  }

  func unarchive(_ data: Data) throws -> HKQueryAnchor? {
    try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
  }

  @Test func `an archived anchor resumes after the store is reopened`() async throws {
    let directory = TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let data: Data
    do {
      let store = try HKHealthStore(directory: directory.url)
      try await store.save([beat(60), beat(61, 1)])
      data = try archive(try await store.anchored(heartRate, anchor: nil).anchor)
      try await store.save(beat(62, 2))
      try await store.close()
    }
    let store = try HKHealthStore(directory: directory.url)
    let anchor = try unarchive(data)
    let update = try await store.anchored(heartRate, anchor: anchor)
    #expect(update.samples?.beats == [62])
    let nothing = try await store.anchored(heartRate, anchor: update.anchor)
    #expect(nothing.samples == [])
    try await store.close()
  }

  @Test func `an archive decodes to an equal anchor`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(beat(60))
    let anchor = try #require(try await store.anchored(heartRate, anchor: nil).anchor)
    let again = try #require(try await store.anchored(heartRate, anchor: nil).anchor)
    #expect(anchor == again)
    #expect(try unarchive(archive(anchor)) == anchor)
    #expect(try unarchive(archive(again)) == anchor)
    #expect(anchor != HKQueryAnchor(fromValue: 0))
    #expect(anchor.copy() as? HKQueryAnchor == anchor)
  }

  @Test func `an anchor of another store is refused`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(beat(60))
    let anchor = try await store.anchored(heartRate, anchor: nil).anchor
    let other = HKHealthStore.inMemory()
    try await other.save([beat(60), beat(61)])
    do {
      _ = try await other.anchored(heartRate, anchor: anchor)
      Issue.record("the anchor was accepted")
    } catch HKError.errorInvalidArgument {
    } catch {
      Issue.record("another error: \(error)")
    }
  }

  @Test func `an anchor beyond the end is refused with a message`() async throws {
    let store = HKHealthStore.inMemory()
    for number in [1_000_000, .max, -1] {
      do {
        _ = try await store.anchored(heartRate, anchor: HKQueryAnchor(fromValue: number))
        Issue.record("the anchor was accepted")
      } catch let error as HKError where error.code == .errorInvalidArgument {
        #expect(error.localizedDescription.contains("beyond the end"))
      }
    }
  }

  @Test func `damaged archives throw or decode to nil`() async throws {
    let store = HKHealthStore.inMemory()
    let data = try archive(try await store.anchored(heartRate, anchor: nil).anchor)
    #expect(throws: (any Error).self) { try unarchive(data.dropLast(40)) }
    #expect(throws: (any Error).self) { try unarchive(Data("nonsense".utf8)) }
    #expect(throws: (any Error).self) { try unarchive(Data()) }
  }
}
