import SampleLog

/// Delivers the changes of registered types to the observers that run in this process, and logs
/// what they acknowledge.
///
/// There is one for each database that is open for writing. It does nothing for a type without a
/// registration. A registration is read when an observer of its type is executed; each has an entry
/// from then on, so acknowledging one reads no other. Acknowledgements are logged together, a
/// second after the first: an end of the process in between has what they acknowledge delivered
/// again.
///
/// It keeps neither the database nor an observer's query.
final class DeliveryCenter: DatabaseCompanion {
  struct State {
    var entries: [SeriesKey: DeliveryEntry] = [:]
    var observerCount = 0
    /// Entries with something to write.
    var dirty: Set<SeriesKey> = []
    var agenda = DeliveryAgenda()
    /// When the clock calls next.
    var wakeTime = Double.infinity
    /// When the next write is due.
    var flushTime = Double.infinity
  }

  /// Something to do once the lock is released.
  struct Work {
    var effects: [(key: SeriesKey, effects: DeliveryEntry.Effects)] = []
    /// The delay after which to write, if no write is due earlier.
    var flushDelay: Double?
    /// The delay after which to look at the agenda, if that is not to happen earlier.
    var wakeDelay: Double?
  }

  /// How long acknowledgements wait for others to be written with.
  static let writeDelay = 1.0
  /// How long a write that failed waits for the next attempt.
  static let retryDelay = 60.0

  weak let database: Database?
  let clock: StoreClock
  let timeout: Double
  let state = Locked(State())
  /// Held while a registration is changed both in the log and here, and while any is written.
  let changing = Locked(())

  /// The center of a database; nil for one that only reads, whose writer delivers, and for a
  /// replica, whose primary does.
  static func of(_ database: Database, clock: StoreClock) -> DeliveryCenter? {
    if database.mode == .readOnly || database.isReplica { return nil }
    return database.companion { DeliveryCenter(database, clock) }
  }

  private init(_ database: Database, _ clock: StoreClock) {
    self.database = database
    self.clock = clock
    timeout = database.deliveryTimeout
  }

  func time(_ database: Database) -> DeliveryTime {
    DeliveryTime(uptime: clock.now(), date: database.currentTime)
  }

  /// The number of the next observer.
  func nextNumber() -> Int {
    state.withLock { state in
      state.observerCount += 1
      return state.observerCount
    }
  }

  // MARK: Observers

  /// Takes an observer that is about to get its first call.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - end: The sequence number after which it reports changes.
  /// - Returns: What the call has to acknowledge.
  /// - Throws: When a registration cannot be read.
  func join(_ observer: DeliveryObserver, end: UInt64) throws -> [DeliveryTicket] {
    guard let database else { return [] }
    var tickets: [DeliveryTicket] = []
    for key in observer.series {
      guard let registration = try load(key, database) else { continue }
      let isBehind = observer.matches(database.snapshot(), key, after: registration.sequence)
      let round = change(key, database) { entry, now, effects in
        entry.join(observer, end: end, isBehind: isBehind, now, &effects)
      }
      if let round = round ?? nil {
        tickets.append(DeliveryTicket(key: key, observer: observer.number, round: round))
      }
    }
    return tickets
  }

  /// Returns the registration of a series as it is now, and makes an entry for it; nil when it has
  /// none.
  private func load(_ key: SeriesKey, _ database: Database) throws -> DeliveryRegistration? {
    if let known = registration(of: key) { return known }
    // Observers of types without a registration wait for nobody.
    if try database.registration(of: key) == nil { return nil }
    return try changing.withLock { _ in
      if let known = registration(of: key) { return known }
      guard let stored = try database.registration(of: key) else { return nil }
      let entry = DeliveryEntry(stored, now: time(database), timeout: timeout)
      // The entry outlives the observer whose lease the numbers are of.
      for symbol in [key.subject, key.type] { database.symbols.keep(symbol) }
      state.withLock { $0.entries[key] = entry }
      return stored
    }
  }

  /// The registration of a series that has an entry.
  func registration(of key: SeriesKey) -> DeliveryRegistration? {
    state.withLock { $0.entries[key]?.registration }
  }

  /// Takes note of what an observer's feed had.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - changed: The series that have matching changes.
  ///   - begin: The sequence number after which the feed was read.
  ///   - end: The sequence number through which it was read.
  /// - Returns: The series that it is to be called for now, and what it has to acknowledge.
  func report(
    _ observer: DeliveryObserver, changed: Set<SeriesKey>, after begin: UInt64, through end: UInt64
  ) -> (series: Set<SeriesKey>, tickets: [DeliveryTicket]) {
    let registered = state.withLock { state in
      state.entries.isEmpty ? [] : observer.series.filter { state.entries[$0] != nil }
    }
    guard !registered.isEmpty, let database else { return (changed, []) }
    var series = changed
    var tickets: [DeliveryTicket] = []
    for key in registered {
      var isMatch = changed.contains(key)
      // What the observer was called for before its feed came to it is not reported again.
      if isMatch, let examined = examined(observer, key), examined > begin {
        isMatch = observer.matches(database.snapshot(), key, after: examined)
      }
      let round = change(key, database) { entry, now, effects in
        entry.report(observer, isMatch: isMatch, through: end, now, &effects)
      }
      // Without an entry by now, it is a change like any other.
      guard let round else { continue }
      if let round {
        tickets.append(DeliveryTicket(key: key, observer: observer.number, round: round))
      } else {
        series.remove(key)
      }
    }
    return (series.union(tickets.map(\.key)), tickets)
  }

  /// The sequence number through which an observer's changes of a series have been looked at.
  private func examined(_ observer: DeliveryObserver, _ key: SeriesKey) -> UInt64? {
    state.withLock { $0.entries[key]?.members[observer.number]?.examined }
  }

  /// Lets an observer go whose query has ended.
  func leave(_ observer: DeliveryObserver) {
    guard let database else { return }
    for key in observer.series {
      _ = change(key, database) { entry, _, _ in entry.leave(observer.number) }
    }
  }

  /// Takes note that an observer has called its completion handler; further times do nothing.
  func complete(_ tickets: [DeliveryTicket]) {
    guard let database else { return }
    for ticket in tickets {
      _ = change(ticket.key, database) { entry, _, _ in
        entry.complete(ticket.observer, round: ticket.round)
      }
    }
  }

  // MARK: Entries

  /// Changes an entry and does what follows; returns nil when there is none.
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

  /// Changes an entry, begins what is due then, and notes when to look at it again.
  func update<Result>(
    _ state: inout State, _ key: SeriesKey, _ now: DeliveryTime, _ database: Database,
    _ work: inout Work,
    _ body: (inout DeliveryEntry, DeliveryTime, inout DeliveryEntry.Effects) -> Result
  ) -> Result? {
    guard let index = state.entries.index(forKey: key) else { return nil }
    var effects = DeliveryEntry.Effects()
    let result = body(&state.entries.values[index], now, &effects)
    if state.entries.values[index].nextEvent <= now.uptime {
      // What has been committed by now is visible, and so part of what is delivered.
      state.entries.values[index].beginIfDue(end: database.end, now, &effects)
    }
    let next = state.entries.values[index].nextEvent
    if next < state.entries.values[index].wakeTime {
      state.entries.values[index].wakeTime = next
      state.agenda.add(next, key)
    }
    if !effects.isEmpty { work.effects.append((key, effects)) }
    noteDirt(state.entries.values[index].dirt, key, now, &state, &work)
    noteWakeTime(now, &state, &work)
    return result
  }
}
