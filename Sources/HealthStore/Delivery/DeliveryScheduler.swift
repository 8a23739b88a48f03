import SampleLog

/// A scheduler that delivers changes of registered types to the observers of this process, and
/// logs their acknowledgements.
///
/// Each database that is open for writing has one. Types without a registration are not affected. A
/// registration is read when an observer of its type is executed, and then has an entry in memory,
/// so an acknowledgement reads no other registration. Acknowledgements are logged in groups, one
/// second after the first of a group. If the process ends before that, the acknowledged changes are
/// delivered again.
///
/// The scheduler retains neither the database nor an observer's query.
final class DeliveryScheduler: DatabaseDelegate {
  struct State {
    var entries: [SeriesKey: DeliveryEntry] = [:]
    var observerCount = 0
    /// The entries with unwritten state.
    var dirty: Set<SeriesKey> = []
    var timers = DeliveryTimerQueue()
    /// The time of the next scheduled timer.
    var wakeTime = Double.infinity
    /// The time of the next scheduled write.
    var flushTime = Double.infinity
  }

  /// The work to do after releasing the lock.
  struct Work {
    var effects: [(key: SeriesKey, effects: DeliveryEntry.Effects)] = []
    /// The delay of the next write, or nil if an earlier one is already scheduled.
    var flushDelay: Double?
    /// The delay of the next timer, or nil if an earlier one is already scheduled.
    var wakeDelay: Double?
  }

  /// The time for which acknowledgements are collected before they are written, in seconds.
  static let writeDelay = 1.0
  /// The delay before a failed write is retried, in seconds.
  static let retryDelay = 60.0

  weak let database: Database?
  let clock: StoreClock
  let timeout: Double
  let state = Locked(State())
  /// Serialises changes of registrations in the log and in memory with each other and with writes.
  let changing = Locked(())

  /// Returns the scheduler of a database, or nil if the database is read-only or a replica.
  ///
  /// The process that writes, or the primary, then delivers changes.
  static func of(_ database: Database, clock: StoreClock) -> DeliveryScheduler? {
    if database.mode == .readOnly || database.isReplica { return nil }
    return database.delegate { DeliveryScheduler(database, clock) }
  }

  private init(_ database: Database, _ clock: StoreClock) {
    self.database = database
    self.clock = clock
    timeout = database.options.deliveryTimeout.seconds
  }

  func time(_ database: Database) -> DeliveryTime {
    DeliveryTime(uptime: clock.now(), date: database.currentTime)
  }

  func nextNumber() -> Int {
    state.withLock { state in
      state.observerCount += 1
      return state.observerCount
    }
  }

  // MARK: Observers

  /// Adds an observer before its initial call.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - end: The sequence number after which it reports changes.
  /// - Returns: The deliveries that the initial call must acknowledge.
  /// - Throws: An error if a registration cannot be read.
  func join(_ observer: DeliveryObserver, end: UInt64) throws -> [DeliveryToken] {
    guard let database else { return [] }
    var tokens: [DeliveryToken] = []
    for key in observer.series {
      guard let registration = try load(key, database) else { continue }
      let isBehind = observer.matches(database.snapshot(), key, after: registration.sequence)
      let delivery = change(key, database) { entry, now, effects in
        entry.join(observer, end: end, isBehind: isBehind, now, &effects)
      }
      if let delivery = delivery ?? nil {
        tokens.append(DeliveryToken(key: key, observer: observer.number, delivery: delivery))
      }
    }
    return tokens
  }

  /// Returns the current registration of a series and creates its entry, or returns nil if the
  /// series has no registration.
  private func load(_ key: SeriesKey, _ database: Database) throws -> DeliveryRegistration? {
    if let known = registration(of: key) { return known }
    // Check without the lock first, so observers of unregistered types never wait for it.
    if try database.registration(of: key) == nil { return nil }
    return try changing.withLock { _ in
      if let known = registration(of: key) { return known }
      guard let stored = try database.registration(of: key) else { return nil }
      let entry = DeliveryEntry(stored, now: time(database), timeout: timeout)
      // The entry outlives the observer whose lease keeps these symbols valid.
      for symbol in [key.subject, key.type] { database.symbols.keep(symbol) }
      state.withLock { $0.entries[key] = entry }
      return stored
    }
  }

  /// Returns the registration of a series, if it has an entry.
  func registration(of key: SeriesKey) -> DeliveryRegistration? {
    state.withLock { $0.entries[key]?.registration }
  }

  /// Processes the changes that an observer's feed reported.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - changed: The series that have matching changes.
  ///   - begin: The sequence number after which the feed was read.
  ///   - end: The sequence number through which it was read.
  /// - Returns: The series to call the observer for, and the deliveries that the call must
  ///   acknowledge.
  func report(
    _ observer: DeliveryObserver, changed: Set<SeriesKey>, after begin: UInt64, through end: UInt64
  ) -> (series: Set<SeriesKey>, tokens: [DeliveryToken]) {
    let registered = state.withLock { state in
      state.entries.isEmpty ? [] : observer.series.filter { state.entries[$0] != nil }
    }
    guard !registered.isEmpty, let database else { return (changed, []) }
    var series = changed
    var tokens: [DeliveryToken] = []
    for key in registered {
      var isMatch = changed.contains(key)
      // The observer may already have been called for these changes ahead of its feed.
      if isMatch, let examined = examined(observer, key), examined > begin {
        isMatch = observer.matches(database.snapshot(), key, after: examined)
      }
      let delivery = change(key, database) { entry, now, effects in
        entry.report(observer, isMatch: isMatch, through: end, now, &effects)
      }
      // If the registration has been removed in the meantime, the change is reported without one.
      guard let delivery else { continue }
      if let delivery {
        tokens.append(DeliveryToken(key: key, observer: observer.number, delivery: delivery))
      } else {
        series.remove(key)
      }
    }
    return (series.union(tokens.map(\.key)), tokens)
  }

  /// Returns the sequence number through which a series' changes were examined for an observer.
  private func examined(_ observer: DeliveryObserver, _ key: SeriesKey) -> UInt64? {
    state.withLock { $0.entries[key]?.members[observer.number]?.examined }
  }

  /// Removes an observer whose query has ended.
  func leave(_ observer: DeliveryObserver) {
    guard let database else { return }
    for key in observer.series {
      _ = change(key, database) { entry, _, _ in entry.leave(observer.number) }
    }
  }

  /// Records that an observer has called its completion handler.
  ///
  /// Further calls have no effect.
  func complete(_ tokens: [DeliveryToken]) {
    guard let database else { return }
    for token in tokens {
      _ = change(token.key, database) { entry, _, _ in
        entry.complete(token.observer, delivery: token.delivery)
      }
    }
  }

  // MARK: Entries

  /// Changes an entry and performs the resulting work; returns nil if there is no entry.
  func change<Result>(
    _ key: SeriesKey, _ database: Database,
    _ body: (inout DeliveryEntry, DeliveryTime, inout DeliveryEntry.Effects) -> Result
  ) -> Result? {
    var work = Work()
    let result = state.withLock { state in
      update(&state, key, time(database), database, &work, body)
    }
    perform(work)
    return result
  }

  /// Changes an entry, begins a delivery if one is due, and schedules the entry's next timer.
  func update<Result>(
    _ state: inout State, _ key: SeriesKey, _ now: DeliveryTime, _ database: Database,
    _ work: inout Work,
    _ body: (inout DeliveryEntry, DeliveryTime, inout DeliveryEntry.Effects) -> Result
  ) -> Result? {
    guard let index = state.entries.index(forKey: key) else { return nil }
    var effects = DeliveryEntry.Effects()
    let result = body(&state.entries.values[index], now, &effects)
    if state.entries.values[index].nextEvent <= now.uptime {
      // All commits so far are visible and belong to this delivery.
      state.entries.values[index].beginIfDue(end: database.end, now, &effects)
    }
    let next = state.entries.values[index].nextEvent
    if next < state.entries.values[index].wakeTime {
      state.entries.values[index].wakeTime = next
      state.timers.add(next, key)
    }
    if !effects.isEmpty { work.effects.append((key, effects)) }
    noteDirt(state.entries.values[index].dirt, key, now, &state, &work)
    noteWakeTime(now, &state, &work)
    return result
  }
}
