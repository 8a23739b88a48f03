import HealthKit
import Testing

/// Options of a store, with no other import than a program on an iPhone has.
@Suite struct OptionsTests {
  @Test func `a store is opened with options by a program that imports HealthKit alone`()
    async throws
  {
    let directory = TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var options = HKHealthStore.Options(memoryByteCount: 64 << 20)
    options.durability = .buffered
    let store = try HKHealthStore(directory: directory.url, options: options)
    try await store.save(beat(60))
    #expect(try await store.anchored(heartRate, anchor: nil).samples?.beats == [60])
    try await store.close()
  }
}
