import SampleLog

/// Has a store that only reads look again and again for what other processes write, while queries
/// wait for that.
///
/// Looking is a listing of the directory and a short read, so nothing is gained by asking the kernel
/// for notices, which do not come for directories that are shared over a network.
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
    clock.schedule(interval) { [weak database] in
      guard let database else { return }
      WorkerPool.shared.async { self.refresh(database) }
    }
  }

  private func refresh(_ database: Database) {
    do {
      try database.refresh()
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
