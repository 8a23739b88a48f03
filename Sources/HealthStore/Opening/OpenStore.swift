import Foundation
import SampleLog

/// A handle on an open database, with the state that the HealthKit layer keeps for it.
///
/// All methods block the calling thread on disk I/O.
final class OpenStore: Sendable {
  let database: Database
  let reader: RowReader
  /// The clock for timers and timeouts.
  let clock: StoreClock
  /// The reference-counted store behind this handle, or nil if the database is managed by its
  /// caller.
  private let shared: SharedStore?
  private let registry: StoreRegistry?
  /// The delegate that confirms that replicas have stored a commit.
  ///
  /// If nil, local durability is sufficient.
  private let confirmer: CommitConfirmer?
  /// Whether the store is in memory and therefore cannot be backed up.
  let isInMemory: Bool

  /// Wraps a database that the caller remains responsible for closing.
  init(
    _ database: Database, clock: StoreClock = .system, confirmer: CommitConfirmer? = nil,
    isInMemory: Bool = false
  ) {
    self.database = database
    self.clock = clock
    reader = RowReader(database)
    WorkoutRecount.addCommitHook(to: database)
    shared = nil
    registry = nil
    self.confirmer = confirmer
    self.isInMemory = isInMemory
  }

  /// Wraps a shared store, whose user count already includes this handle.
  init(_ shared: SharedStore, of registry: StoreRegistry) {
    database = shared.database
    reader = shared.reader
    clock = registry.clock
    self.shared = shared
    self.registry = registry
    confirmer = nil
    isInMemory = false
  }

  deinit { if let shared { registry?.release(shared) } }

  var isClosed: Bool { database.isClosed }

  /// Closes the database for all its users, which ends their feeds.
  ///
  /// - Throws: `errorInvalidArgument` if the store has a delegate, because only that may close it.
  func close() throws {
    if confirmer != nil {
      throw HKError.make(
        .errorInvalidArgument,
        "The store at \(database.path) belongs to a shard router, which closes it.")
    }
    if let shared, let registry { try registry.close(shared) } else { try database.close() }
  }

  /// Makes commits of other processes visible in a read-only store.
  ///
  /// If the database is managed by its caller, the caller decides when to refresh.
  func refresh() throws {
    if shared != nil { try database.refreshInPlace() }
  }

  /// Throws if the store is read-only, is a replica, or its delegate does not allow saving.
  func checkWritable() throws {
    try checkSaving()
    if database.mode == .readOnly { throw StoreError.readOnly }
    try database.checkSaving()
  }

  /// Throws if the store's delegate does not allow saving.
  func checkSaving() throws { try confirmer?.checkSaving() }

  /// Waits until the delegate confirms all commits so far.
  func confirm() throws { try confirmer?.confirm(database.end) }
}
