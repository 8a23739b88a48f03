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

  /// Takes a database that stays its owner's to close.
  init(_ database: Database, clock: StoreClock = .system) {
    self.database = database
    self.clock = clock
    reader = RowReader(database)
    WorkoutRecount.follow(database)
    shared = nil
    registry = nil
  }

  /// Takes a store that counts the handle as a user already.
  init(_ shared: SharedStore, of registry: StoreRegistry) {
    database = shared.database
    reader = shared.reader
    clock = registry.clock
    self.shared = shared
    self.registry = registry
  }

  deinit { if let shared { registry?.release(shared) } }

  var isClosed: Bool { database.isClosed }

  /// Closes the database for all who use it, which ends their feeds.
  func close() throws {
    if let shared, let registry { try registry.close(shared) } else { try database.close() }
  }

  /// Looks for what other processes wrote, in a store that only reads.
  ///
  /// A database that has another owner shows that when its owner says so.
  func refresh() throws {
    if shared != nil { try database.refreshInPlace() }
  }

  /// Throws when the store is open for reading only, whatever was to be written.
  func checkWritable() throws {
    if database.mode == .readOnly { throw StoreError.readOnly }
  }
}
