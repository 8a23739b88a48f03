import SampleLog

// What the center does outside its lock: calling, looking, writing, and waiting for its clock.

extension DeliveryCenter {
  // MARK: With the lock held

  /// Notes that an entry is to be written, and when.
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

  /// Notes when the agenda is to be looked at.
  func noteWakeTime(_ now: DeliveryTime, _ state: inout State, _ work: inout Work) {
    guard let next = state.agenda.next, next < state.wakeTime else { return }
    state.wakeTime = next
    work.wakeDelay = max(0, next - now.uptime)
  }

  // MARK: Without the lock

  func perform(_ work: Work) {
    for (key, effects) in work.effects {
      for (observer, round) in effects.calls {
        observer.deliver(
          key, [DeliveryTicket(key: key, observer: observer.number, round: round)])
      }
      for (observer, sequence) in effects.examinations {
        BlockingExecutor.current.run { [weak self] in
          self?.examine(observer, key, after: sequence)
        }
      }
    }
    // The clock keeps neither the center nor, through it, a database.
    if let delay = work.flushDelay { clock.schedule(delay) { [weak self] in self?.flush() } }
    if let delay = work.wakeDelay { clock.schedule(delay) { [weak self] in self?.wake() } }
  }

  /// Looks for changes on behalf of an observer whose feed may not have been read yet.
  private func examine(_ observer: DeliveryObserver, _ key: SeriesKey, after sequence: UInt64) {
    guard let database else { return }
    let snapshot = database.snapshot()
    let isMatch = observer.matches(snapshot, key, after: sequence)
    let round = change(key, database) { entry, now, effects in
      entry.members[observer.number] == nil
        ? nil : entry.report(observer, isMatch: isMatch, through: snapshot.end, now, &effects)
    }
    guard let round = round ?? nil else { return }
    observer.deliver(key, [DeliveryTicket(key: key, observer: observer.number, round: round)])
  }

  /// Does what the agenda says is to be done by now.
  private func wake() {
    guard let database, !database.isClosed else { return }
    var work = Work()
    var failed: [(key: SeriesKey, registration: DeliveryRegistration)] = []
    state.withLock { state in
      state.wakeTime = .infinity
      let now = time(database)
      while let key = state.agenda.removeFirst(by: now.uptime) {
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

  /// Logs what has been acknowledged, and what else is to outlast this process.
  ///
  /// An acknowledgement that is lost with the system's power is delivered again, so none waits for
  /// the disk.
  func flush() {
    guard let database, !database.isClosed else { return }
    var work = Work()
    changing.withLock { _ in
      let taken = state.withLock { takeDirty(&$0) }
      // Where nothing of the type has come, nothing needs to be written.
      let snapshot = database.snapshot()
      let worthwhile = taken.filter { key, _, dirt in
        guard dirt == .position, let stored = storedSequence(key, database) else { return true }
        return stored < snapshot.floor || snapshot.hasChanges(in: key, after: stored)
      }
      do {
        try database.update(worthwhile.map { ($0.key, $0.registration) }, durability: .buffered)
      } catch {
        // Nothing is lost but time: what is not acknowledged in the log is delivered again.
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

  /// The sequence number in the log; nil where that cannot be read, which updating then reports.
  private func storedSequence(_ key: SeriesKey, _ database: Database) -> UInt64? {
    do {
      return try database.registration(of: key)?.sequence
    } catch {
      return nil
    }
  }
}
