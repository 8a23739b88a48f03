import SampleLog

// The scheduler's work outside its lock: calls, reads, writes and timers.

extension DeliveryScheduler {
  // MARK: With the lock held

  /// Schedules the write of an entry.
  func noteDirt(
    _ dirt: DeliveryEntry.Dirt, _ key: SeriesKey, _ now: DeliveryTime, _ state: inout State,
    _ work: inout Work
  ) {
    if dirt == .nothing { return }
    state.dirty.insert(key)
    noteFlush(after: dirt == .urgent ? 0 : Self.writeDelay, now, &state, &work)
  }

  private func noteFlush(
    after delay: Double, _ now: DeliveryTime, _ state: inout State, _ work: inout Work
  ) {
    guard now.uptime + delay < state.flushTime else { return }
    state.flushTime = now.uptime + delay
    work.flushDelay = delay
  }

  /// Schedules the timer for the earliest item of the timer queue.
  func noteWakeTime(_ now: DeliveryTime, _ state: inout State, _ work: inout Work) {
    guard let next = state.timers.next, next < state.wakeTime else { return }
    state.wakeTime = next
    work.wakeDelay = max(0, next - now.uptime)
  }

  // MARK: Without the lock

  func perform(_ work: Work) {
    for (key, effects) in work.effects {
      for (observer, delivery) in effects.calls {
        observer.deliver(
          key, [DeliveryToken(key: key, observer: observer.number, delivery: delivery)])
      }
      for (observer, sequence) in effects.examinations {
        BlockingExecutor.current.run { [weak self] in
          self?.examine(observer, key, after: sequence)
        }
      }
    }
    // A pending timer must keep neither the scheduler nor its database alive.
    if let delay = work.flushDelay { clock.schedule(delay) { [weak self] in self?.flush() } }
    if let delay = work.wakeDelay { clock.schedule(delay) { [weak self] in self?.wake() } }
  }

  /// Searches for changes on behalf of an observer whose feed may not have been read yet.
  private func examine(_ observer: DeliveryObserver, _ key: SeriesKey, after sequence: UInt64) {
    guard let database else { return }
    let snapshot = database.snapshot()
    let isMatch = observer.matches(snapshot, key, after: sequence)
    let delivery = change(key, database) { entry, now, effects in
      entry.members[observer.number] == nil
        ? nil : entry.report(observer, isMatch: isMatch, through: snapshot.end, now, &effects)
    }
    guard let delivery = delivery ?? nil else { return }
    observer.deliver(key, [DeliveryToken(key: key, observer: observer.number, delivery: delivery)])
  }

  /// Handles the timers that are due.
  private func wake() {
    guard let database, !database.isClosed else { return }
    var work = Work()
    var failed: [(key: SeriesKey, registration: DeliveryRegistration)] = []
    state.withLock { state in
      state.wakeTime = .infinity
      let now = time(database)
      while let key = state.timers.removeFirst(by: now.uptime) {
        _ = update(&state, key, now, database, &work) { entry, now, _ in
          entry.wakeTime = .infinity
          if entry.failIfLate(now) { failed.append((key, entry.registration)) }
        }
      }
      noteWakeTime(now, &state, &work)
    }
    perform(work)
    for (key, registration) in failed { report(key, registration, database) }
  }

  /// Reports a delivery that was not acknowledged in time.
  private func report(
    _ key: SeriesKey, _ registration: DeliveryRegistration, _ database: Database
  ) {
    let end = database.end
    database.report(
      .stalled(
        StoreEvent.Stall(
          name: database.symbols.text(key.type), subject: database.symbols.text(key.subject),
          lag: end - min(registration.sequence, end), isStopped: registration.isStopped)))
  }

  func databaseWillClose() { flush() }

  /// Writes acknowledgements and other changed state of registrations to the log.
  ///
  /// Writes are buffered: an acknowledgement that is lost in a power failure only causes another
  /// delivery.
  func flush() {
    guard let database, !database.isClosed else { return }
    var work = Work()
    changing.withLock { _ in
      let taken = state.withLock { takeDirty(&$0) }
      // An entry whose position advanced without changes of the type needs no write.
      let snapshot = database.snapshot()
      let worthwhile = taken.filter { key, _, dirt in
        guard dirt == .position, let stored = storedSequence(key, database) else { return true }
        return stored < snapshot.floor || snapshot.hasChanges(in: key, after: stored)
      }
      do {
        try database.update(worthwhile.map { ($0.key, $0.registration) }, durability: .buffered)
      } catch {
        // Losing this write is harmless: changes without a logged acknowledgement are delivered
        // again.
        let now = time(database)
        state.withLock { state in
          for (key, _, dirt) in taken {
            guard let index = state.entries.index(forKey: key) else { continue }
            state.entries.values[index].dirt = max(state.entries.values[index].dirt, dirt)
            state.dirty.insert(key)
          }
          noteFlush(after: Self.retryDelay, now, &state, &work)
        }
      }
    }
    perform(work)
  }

  private typealias Dirty = (
    key: SeriesKey, registration: DeliveryRegistration, dirt: DeliveryEntry.Dirt
  )

  private func takeDirty(_ state: inout State) -> [Dirty] {
    state.flushTime = .infinity
    let keys = state.dirty
    state.dirty = []
    return keys.compactMap { key in
      guard let index = state.entries.index(forKey: key) else { return nil }
      let dirt = state.entries.values[index].dirt
      state.entries.values[index].dirt = .nothing
      return (key, state.entries.values[index].registration, dirt)
    }
  }

  /// Returns the sequence number in the log, or nil if it cannot be read; the update then reports
  /// the error.
  private func storedSequence(_ key: SeriesKey, _ database: Database) -> UInt64? {
    do {
      return try database.registration(of: key)?.sequence
    } catch {
      return nil
    }
  }
}
