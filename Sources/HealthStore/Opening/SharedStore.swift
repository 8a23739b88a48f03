import SampleLog

/// A database that handles for the same directory and mode share, with its user count.
final class SharedStore: @unchecked Sendable {
  /// Identifies an open store by directory and mode.
  ///
  /// A process can open the same directory once for writing and once for reading.
  struct Key: Hashable, Sendable {
    let path: String
    let mode: OpenMode
  }

  let key: Key
  let options: Database.Options
  let database: Database
  let reader: RowReader
  // Guarded by the registry's lock.
  /// The number of handles.
  var users = 0
  /// The time at which the idle store closes, unless it is used again.
  var idleUntil = 0.0

  init(_ key: Key, options: Database.Options, clock: StoreClock) throws {
    self.key = key
    self.options = options
    database = try Database(path: key.path, mode: key.mode, options: options)
    reader = RowReader(database)
    WorkoutRecount.addCommitHook(to: database)
    if key.mode == .readOnly {
      StoreRefresher(clock: clock, interval: options.refreshInterval.seconds).attach(to: database)
    }
  }

  /// Whether the store is open and its directory still holds the same store.
  var isUsable: Bool {
    if database.isClosed { return false }
    do {
      if key.mode == .readOnly { try database.refresh() } else { try database.checkInPlace() }
      return true
    } catch {
      return false
    }
  }

  /// Throws if the store was opened with other options than the given ones.
  func check(_ options: Database.Options) throws {
    let differences = self.options.differences(from: options)
    if differences.isEmpty { return }
    // The engine's name of an option that this module offers under its own.
    let names = differences.map { $0 == "registrationRetention" ? "deliveryRetention" : $0 }
    throw HKStoreOptionsError(path: key.path, options: names)
  }

  /// Closes the database and ignores errors, because no caller is left to receive them.
  func finish() {
    do {
      try database.close()
    } catch {
      // A failure means that buffered commits may not be durable; it cannot be reported.
    }
  }
}
