import SampleLog

/// Refreshes a read-only store periodically while queries observe it, so that they see commits of
/// other processes.
///
/// A refresh lists the directory and does a short read. Change notifications of the kernel would
/// arrive sooner, but do not work for network file systems and cost a file descriptor per store.
final class StoreRefresher: DatabaseDelegate {
  private let clock: StoreClock
  private let interval: Double
  private let isActive = Locked(false)

  init(clock: StoreClock, interval: Double) {
    self.clock = clock
    self.interval = max(interval, 0.001)
  }

  /// Starts refreshing with the database's first observation, and again with the first one after a
  /// pause.
  func attach(to database: Database) { database.add(self) }

  func databaseIsObserved(_ database: Database) {
    let begins = isActive.withLock { isActive in
      defer { isActive = true }
      return !isActive
    }
    if begins { wait(database) }
  }

  private func wait(_ database: Database) {
    // The database keeps this object alive.
    clock.schedule(interval) { [weak self, weak database] in
      if let self, let database { self.refresh(database) }
    }
  }

  private func refresh(_ database: Database) {
    do {
      try database.refreshInPlace()
    } catch {
      // Observers must not mistake an unreadable store for one without changes.
      database.endObservations(error)
    }
    // An observation that begins after this check sees that refreshing is inactive and restarts
    // it.
    let goesOn = isActive.withLock { isActive in
      isActive = database.isObserved
      return isActive
    }
    if goesOn { wait(database) }
  }
}

extension Database {
  /// Refreshes the store, or throws ``StoreError/replaced(path:)`` if its directory now holds
  /// another store.
  func refreshInPlace() throws {
    do {
      try refresh()
    } catch StoreError.anchorOfAnotherStore, StoreError.anchorFromTheFuture {
      throw StoreError.replaced(path: path)
    }
  }
}
