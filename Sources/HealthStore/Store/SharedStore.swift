import SampleLog

/// A database that a directory's handles share, and who uses it.
final class SharedStore: @unchecked Sendable {
  /// Where a store is, and what for: a process may read one through a handle of its own.
  struct Key: Hashable, Sendable {
    let path: String
    let mode: OpenMode
  }

  let key: Key
  let options: Database.Options
  let database: Database
  let reader: RowReader
  // Guarded by the registry's lock.
  /// How many handles there are.
  var users = 0
  /// When the store closes unless somebody uses it again.
  var idleUntil = 0.0

  init(_ key: Key, options: Database.Options, clock: StoreClock) throws {
    self.key = key
    self.options = options
    database = try Database(path: key.path, mode: key.mode, options: options)
    reader = RowReader(database)
    WorkoutRecount.follow(database)
    if key.mode == .readOnly {
      StoreRefresher(clock: clock, interval: options.refreshInterval).follow(database)
    }
  }

  /// Whether the store is open and still what is in its directory.
  var isUsable: Bool {
    if database.isClosed { return false }
    do {
      if key.mode == .readOnly { try database.refresh() } else { try database.checkInPlace() }
      return true
    } catch {
      return false
    }
  }

  /// Closes the database for nobody.
  func finish() {
    do {
      try database.close()
    } catch {
      // No caller is left to report to that buffered commits could not be made durable.
    }
  }
}
