import HealthKit
import Testing

/// Options of a store, with only the imports of a program on an iPhone.
@Suite struct OptionsTests {
  @Test func `a program that imports only HealthKit opens a store with options`()
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

  @Test func `opening a directory with different options throws an error that names them`()
    async throws
  {
    let directory = TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var options = HKHealthStore.Options()
    options.durability = .buffered
    options.onEvent = { _ in }
    let database = try HealthDatabase(directory: directory.url, options: options)
    var others = [HKHealthStore.Options(), options, options, options]
    others[1].deliveryTimeout = .seconds(1)
    others[2].deliveryRetention = .seconds(1)
    others[3].onEvent = { _ in }
    let differences = [
      ["durability", "onEvent"], ["deliveryTimeout"], ["deliveryRetention"], ["onEvent"],
    ]
    for (other, names) in zip(others, differences) {
      let openings: [() throws -> Void] = [
        { _ = try HealthDatabase(directory: directory.url, options: other) },
        { _ = try HKHealthStore(directory: directory.url, options: other) },
        { _ = try HKHealthStore(directory: directory.url, subject: "ada", options: other) },
      ]
      for opening in openings {
        let error = #expect(throws: HKError.self) { try opening() }
        #expect(error?.code == .errorInvalidArgument)
        let cause = error?.errorUserInfo[NSUnderlyingErrorKey] as? HKStoreOptionsError
        #expect(cause?.options == names)
        for name in names { #expect(error?.localizedDescription.contains(name) == true) }
      }
    }
    // Copies of the options share the store, which the refusals have not closed.
    let store = try HKHealthStore(directory: directory.url, subject: "ada", options: options)
    try await store.save(beat(60))
    #expect(try await database.store(subject: "ada").samples(heartRate).beats == [60])
    // Another mode is another handle of the directory, with options of its own.
    _ = try HKHealthStore(directory: directory.url, mode: .readOnly)
    try database.close()
    try HealthDatabase(directory: directory.url).close()
  }
}
