import HealthKit
import Synchronization
import Testing

@Suite struct PreferredUnitTests {
  private let store = HKHealthStore.inMemory()
  private let mass = HKQuantityType(.bodyMass)

  @Test func `each requested type has a compatible unit`() async throws {
    let types: Set = [mass, heartRate, steps, HKQuantityType(.bloodGlucose)]
    let units = try await store.preferredUnits(for: types)
    #expect(Set(units.keys) == types)
    for (type, unit) in units { #expect(type.is(compatibleWith: unit)) }
    #expect(units[heartRate] == beatsPerMinute)
    #expect(units[steps] == .count())
    #expect(try await store.preferredUnits(for: []).isEmpty)
  }

  @Test func `a unit is preferred from setting it to removing it`() async throws {
    let before = try await store.preferredUnits(for: [mass])
    try await store.setPreferredUnit(.pound(), for: mass)
    let units = try await store.preferredUnits(for: [mass, steps])
    #expect(units == [mass: .pound(), steps: .count()])
    try await store.setPreferredUnit(nil, for: mass)
    #expect(try await store.preferredUnits(for: [mass]) == before)
  }

  @Test func `units survive reopening and belong to one person`() async throws {
    let directory = TemporaryDirectory()
    let database = try HealthDatabase(directory: directory.url)
    try await database.store(subject: "ada").setPreferredUnit(.stone(), for: mass)
    try database.close()
    let again = try HKHealthStore(directory: directory.url, subject: "ada")
    let bob = try HKHealthStore(directory: directory.url, subject: "bob")
    #expect(try await again.preferredUnits(for: [mass])[mass] == .stone())
    #expect(try await bob.preferredUnits(for: [mass])[mass] != .stone())
  }

  @Test func `an incompatible unit is refused`() async throws {
    do {
      try await store.setPreferredUnit(.meter(), for: mass)
      Issue.record("the unit was accepted")
    } catch let error as HKError {
      #expect(error.code == .errorInvalidArgument)
    }
  }

  @Test func `a change notifies before setting returns, and the same unit does not`() async throws {
    let count = Mutex(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .HKUserPreferencesDidChange, object: store, queue: nil
    ) { _ in count.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    try await store.setPreferredUnit(.pound(), for: mass)
    #expect(count.withLock { $0 } == 1)
    try await store.setPreferredUnit(.pound(), for: mass)
    #expect(count.withLock { $0 } == 1)
    try await store.setPreferredUnit(nil, for: mass)
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `a closed store returns an error and no units`() async throws {
    try await store.setPreferredUnit(.pound(), for: mass)
    try await store.close()
    let (units, error) = try await withFencedContinuation {
      (continuation: FencedContinuation<([HKQuantityType: HKUnit], HKError?)>) in
      store.preferredUnits(for: [mass]) { continuation.resume(returning: ($0, $1 as? HKError)) }
    }
    #expect(units.isEmpty)
    #expect(error?.code == .errorDatabaseInaccessible)
  }
}
