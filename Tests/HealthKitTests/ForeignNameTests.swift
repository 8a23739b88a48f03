import HealthKit
import Swift6Client
import Synchronization
import Testing

@Suite struct ForeignNameTests {
  @Test func `other packages may declare the names of the engine`() throws {
    let others: [Any] = [Database(), Options(), OpenMode(), StoreEvent(), Snapshot()]
    #expect(others.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("Swift6Client.") })
  }

  @Test func `members and type aliases refer to the engine's types`() throws {
    let events = Mutex<[HKHealthStore.Event]>([])
    var options = HKHealthStore.Options()
    options.durability = .buffered
    options.idleTimeout = .zero
    options.onEvent = { event in events.withLock { $0.append(event) } }
    let mode: HKHealthStore.OpenMode = .readWrite
    #expect(mode != .readOnly && options.durability == .buffered && options.idleTimeout == .zero)
    #expect(events.withLock { $0.isEmpty })
  }

  @Test func `a name in both modules is qualified by its module`() throws {
    _ = Swift6Client.HealthDatabase()
    let database = try HealthKit.HealthDatabase.inMemory()
    #expect(database.store(subject: "ada").isReadable)
  }
}

extension HKHealthStore {
  fileprivate var isReadable: Bool { earliestPermittedSampleDate() < Date() }
}
