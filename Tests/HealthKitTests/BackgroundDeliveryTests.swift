import HealthKit
import Testing

@Suite struct BackgroundDeliveryTests {
  let store = HKHealthStore.inMemory()

  @Test func `an observer that acknowledges is called for each change`() async throws {
    try await store.enableBackgroundDelivery(for: heartRate, frequency: .immediate)
    let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
    let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, completion, _ in
      completion()
      continuation.yield()
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    _ = await iterator.next()
    for value in [60.0, 61, 62] {
      try await store.save(beat(value, value))
      _ = await iterator.next()
    }
    let state = try #require(await store.backgroundDelivery(for: heartRate))
    #expect(state.failureCount == 0)
    #expect(!state.isStopped)
    #expect(state.lastDelivery != nil)
    store.stop(query)
  }

  @Test func `enabled deliveries are listed by type and by person`() async throws {
    #expect(try await store.backgroundDeliveries().isEmpty)
    #expect(try await store.backgroundDelivery(for: steps) == nil)
    try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
    try await store.enableBackgroundDelivery(for: heartRate, frequency: .weekly)
    try await store.enableBackgroundDelivery(for: heartRate, frequency: .daily)
    let all = try await store.backgroundDeliveries()
    #expect(all.map(\.objectType) == [heartRate, steps])
    #expect(all.map(\.frequency) == [.daily, .hourly])
    #expect(all.map(\.lastDelivery) == [nil, nil])
    try await store.disableBackgroundDelivery(for: steps)
    #expect(try await store.backgroundDeliveries().map(\.objectType) == [heartRate])
    try await store.disableAllBackgroundDelivery()
    #expect(try await store.backgroundDeliveries().isEmpty)
    try await store.disableAllBackgroundDelivery()
    try await store.disableBackgroundDelivery(for: steps)
  }

  @Test func `disabling all deliveries affects one person only`() async throws {
    let directory = TemporaryDirectory()
    let database = try HealthDatabase(directory: directory.url)
    let (ada, bob) = (database.store(subject: "ada"), database.store(subject: "bob"))
    for store in [ada, bob] {
      try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    }
    try await ada.disableAllBackgroundDelivery()
    #expect(try await ada.backgroundDelivery(for: steps) == nil)
    #expect(try await bob.backgroundDelivery(for: steps) != nil)
    try database.close()
    await #expect(throws: HKError.self) { try await bob.backgroundDelivery(for: steps) }
  }

  @Test func `correlation types and types without samples are refused with a message`() async {
    for type in [HKCorrelationType(.bloodPressure), HKCharacteristicType(.bloodType)] {
      let error = await #expect(throws: HKError.self) {
        try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
      }
      #expect(error?.code == .errorInvalidArgument)
      #expect(error?.localizedDescription.contains(type.identifier) == true)
    }
  }

  @Test func `a reset without an enabled delivery throws`() async throws {
    let error = await #expect(throws: HKError.self) {
      try await store.resetBackgroundDelivery(for: steps)
    }
    #expect(error?.code == .errorInvalidArgument)
  }

  @Test func `completion handlers report the errors of the asynchronous methods`() async throws {
    let store = store
    func succeeds(
      _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) async -> Bool {
      await withCheckedContinuation { continuation in
        call { success, error in continuation.resume(returning: success && error == nil) }
      }
    }
    #expect(
      await succeeds {
        store.enableBackgroundDelivery(for: steps, frequency: .daily, withCompletion: $0)
      })
    #expect(
      await !succeeds {
        store.enableBackgroundDelivery(
          for: HKCorrelationType(.food), frequency: .daily, withCompletion: $0)
      })
    #expect(await succeeds { store.disableBackgroundDelivery(for: steps, withCompletion: $0) })
    #expect(await succeeds { store.disableAllBackgroundDelivery(completion: $0) })
  }
}
