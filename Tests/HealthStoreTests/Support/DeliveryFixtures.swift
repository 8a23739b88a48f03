import Foundation
import SampleLog

@testable import HealthStore

/// A store with a manual clock that can be restarted or crashed.
final class DeliveryStore {
  let clock = ManualClock()
  private let files: MemoryFileSystem
  private let change: (inout Database.Options) -> Void
  private(set) var store: HKHealthStore
  private(set) var database: Database

  init(_ change: @escaping (inout Database.Options) -> Void = { _ in }) throws {
    self.change = change
    files = MemoryFileSystem()
    (store, database) = try Self.open(files, clock, change)
  }

  private static func open(
    _ files: MemoryFileSystem, _ clock: ManualClock, _ change: (inout Database.Options) -> Void
  ) throws -> (HKHealthStore, Database) {
    var options = Database.Options()
    options.sealsInBackground = false
    let time = clock.clock
    options.clock = { 1_000_000 + time.now() }
    change(&options)
    let database = try Database(path: "store", options: options, fileSystem: files)
    let store = HKHealthStore(
      location: .open(OpenStore(database, clock: clock.clock)), subject: "ada")
    return (store, database)
  }

  /// Another person's store.
  func store(of subject: String) -> HKHealthStore {
    HKHealthStore(location: .open(OpenStore(database, clock: clock.clock)), subject: subject)
  }

  /// Closes the store and opens it again.
  func restart() throws {
    try database.close()
    (store, database) = try Self.open(files, clock, change)
  }

  /// Opens a copy of the current files, as after a crash.
  func crash() throws -> DeliveryStore { try DeliveryStore(copyOf: self) }

  private init(copyOf other: DeliveryStore) throws {
    change = other.change
    files = other.files.copy()
    clock.advance(by: other.clock.clock.now())
    (store, database) = try Self.open(files, clock, change)
  }

  /// Saves one heart rate and returns after its observers have been notified.
  func save(_ value: Double = 60, subject: String = "ada") throws {
    try OpenStore(database).save([heartBeat(value)], subject: subject)
  }

  var key: SeriesKey {
    SeriesKey(
      subject: database.symbols.intern("ada"),
      type: database.symbols.intern(testHeartRate.identifier))
  }

  /// The registration of the heart rate in the log.
  var logged: DeliveryRegistration? { get throws { try database.registration(of: key) } }

  /// The registration in memory.
  var known: DeliveryRegistration? {
    get throws {
      try DeliveryScheduler.of(database, clock: clock.clock)?.current(key, database)
    }
  }
}

/// An observer of heart rates that counts its calls and acknowledges them on demand.
final class RecordingObserver: Sendable {
  let query: HKObserverQuery
  private let store: HKHealthStore
  private let calls: RecordedCalls

  /// Executes an observer.
  ///
  /// If `acknowledges` is true, it acknowledges each call at once.
  init(
    _ store: HKHealthStore, _ predicate: NSPredicate? = nil,
    types: [HKSampleType] = [testHeartRate], acknowledges: Bool = false
  ) {
    let calls = RecordedCalls()
    self.store = store
    self.calls = calls
    query = HKObserverQuery(
      queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: predicate) }
    ) { _, _, completion, error in
      if error == nil { calls.note(completion) }
      if acknowledges { completion() }
    }
    store.execute(query)
    settle()
  }

  /// Waits until the query has finished its pending work.
  func settle() { query.execution.settle() }

  /// The number of calls without errors.
  var count: Int {
    settle()
    return calls.count
  }

  /// Waits until there were `count` calls.
  func wait(for count: Int) { calls.wait(for: count) }

  /// Acknowledges the last call, or the call with the given number, counted from 1.
  func acknowledge(_ number: Int? = nil) { calls.acknowledge(number) }

  func stop() { store.stop(query) }
}

private final class RecordedCalls: @unchecked Sendable {
  private let condition = NSCondition()
  // Guarded by the condition.
  private var completions: [HKObserverQueryCompletionHandler] = []

  var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return completions.count
  }

  func note(_ completion: @escaping HKObserverQueryCompletionHandler) {
    condition.lock()
    completions.append(completion)
    condition.broadcast()
    condition.unlock()
  }

  func wait(for count: Int) {
    condition.lock()
    while completions.count < count { condition.wait() }
    condition.unlock()
  }

  func acknowledge(_ number: Int?) {
    condition.lock()
    let completion = completions[number.map { $0 - 1 } ?? completions.count - 1]
    condition.unlock()
    completion()
  }
}
