import SampleLog

/// Has a store that only reads look again and again for what other processes write, while queries
/// wait for that.
///
/// Looking is a listing of the directory and a short read. The kernel's notices would come sooner,
/// but not for a directory that is shared over a network, and cost a descriptor for each store.
final class StoreRefresher: Sendable {
  private let clock: StoreClock
  private let interval: Double
  private let isActive = Locked(false)

  init(clock: StoreClock, interval: Double) {
    self.clock = clock
    self.interval = max(interval, 0.001)
  }

  /// Begins with the database's first observation and whenever there is one again.
  func follow(_ database: Database) {
    database.whenObserved { [weak database] in
      guard let database else { return }
      let begins = self.isActive.withLock { isActive in
        defer { isActive = true }
        return !isActive
      }
      if begins { self.wait(database) }
    }
  }

  private func wait(_ database: Database) {
    // The database keeps it.
    clock.schedule(interval) { [weak self, weak database] in
      if let self, let database { self.refresh(database) }
    }
  }

  private func refresh(_ database: Database) {
    do {
      try database.refreshInPlace()
    } catch {
      // Those who wait must not take a store that cannot be read for one in which nothing happens.
      database.endObservations(error)
    }
    // An observation that begins after this was asked finds that nobody looks.
    let goesOn = isActive.withLock { isActive in
      isActive = database.isObserved
      return isActive
    }
    if goesOn { wait(database) }
  }
}

extension Database {
  /// Refreshes, and says of a directory that holds another store by now that it was replaced.
  func refreshInPlace() throws {
    do {
      try refresh()
    } catch StoreError.anchorOfAnotherStore, StoreError.anchorFromTheFuture {
      throw StoreError.replaced(path: path)
    }
  }
}
