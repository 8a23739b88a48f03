import Foundation
import SampleLog

/// A handle on a database in use, with what HealthKit's layer knows about it.
///
/// All methods block the calling thread for as long as the disk takes.
final class OpenStore: Sendable {
  let database: Database
  let reader: RowReader
  /// The clock of what happens by itself.
  let clock: StoreClock
  /// The store that others of this process share; nil when the database has another owner.
  private let shared: SharedStore?
  private let registry: StoreRegistry?
  /// Who says where what is saved has to be; nil when this store's disk is enough.
  private let host: StoreHost?

  /// Takes a database that stays its owner's to close.
  init(_ database: Database, clock: StoreClock = .system, host: StoreHost? = nil) {
    self.database = database
    self.clock = clock
    reader = RowReader(database)
    WorkoutRecount.follow(database)
    shared = nil
    registry = nil
    self.host = host
  }

  /// Takes a store that counts the handle as a user already.
  init(_ shared: SharedStore, of registry: StoreRegistry) {
    database = shared.database
    reader = shared.reader
    clock = registry.clock
    self.shared = shared
    self.registry = registry
    host = nil
  }

  deinit { if let shared { registry?.release(shared) } }

  var isClosed: Bool { database.isClosed }

  /// Closes the database for all who use it, which ends their feeds.
  ///
  /// - Throws: `errorInvalidArgument` when a host has it open, which goes on with it.
  func close() throws {
    if host != nil {
      throw HKError.make(
        .errorInvalidArgument, "The store at \(database.path) has a host, which closes it.")
    }
    if let shared, let registry { try registry.close(shared) } else { try database.close() }
  }

  /// Looks for what other processes wrote, in a store that only reads.
  ///
  /// A database that has another owner shows that when its owner says so.
  func refresh() throws {
    if shared != nil { try database.refreshInPlace() }
  }

  /// Throws when the store is open for reading only or is a replica, whatever was to be written.
  func checkWritable() throws {
    try host?.checkSaving()
    if database.mode == .readOnly { throw StoreError.readOnly }
    try database.checkSaving()
  }

  /// Does something that changes the store, and waits until that is where its host wants it.
  ///
  /// What the function found there already has to be there as well: of a call that is made again
  /// because the first one failed to get there, nothing may be left to commit.
  func confirming<Value>(_ body: () throws -> Value) throws -> Value {
    try host?.checkSaving()
    let value = try body()
    try confirm()
    return value
  }

  /// Waits until all that was committed is where the store's host wants it.
  func confirm() throws { try host?.confirm(database.end) }
}
