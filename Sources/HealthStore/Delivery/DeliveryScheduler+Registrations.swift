import SampleLog

// Management of registrations. These methods block the calling thread on disk I/O.

extension DeliveryScheduler {
  /// Registers a series for changes committed after this call.
  ///
  /// If it is already registered, only the frequency changes.
  func register(_ key: SeriesKey, _ frequency: HKUpdateFrequency) throws {
    let database = try open()
    let frequency = UInt8(frequency.rawValue)
    try changing.withLock { _ in
      let stored = try database.register(key, frequency: frequency)
      state.withLock { state in
        let now = time(database)
        if let index = state.entries.index(forKey: key) {
          state.entries.values[index].setFrequency(frequency, now)
        } else {
          state.entries[key] = DeliveryEntry(stored, now: now, timeout: timeout)
        }
      }
    }
    _ = change(key, database) { _, _, _ in }
    // Running observers are added to the entry when they handle this notification.
    database.notifyObservers(of: key)
  }

  func unregister(_ key: SeriesKey) throws {
    let database = try open()
    let members = try changing.withLock { _ in
      try database.removeRegistrations(of: [key])
      return state.withLock { remove([key], &$0) }
    }
    callPending(members)
  }

  func unregisterAll(of subject: Symbol) throws {
    let database = try open()
    let members = try changing.withLock { _ in
      let keys = try database.removeRegistrations(ofSubject: subject)
      return state.withLock { remove(keys, &$0) }
    }
    callPending(members)
  }

  /// Erases a subject with its registrations.
  ///
  /// Pending deliveries are dropped.
  func erase(_ subject: Symbol) throws -> ErasureResult {
    let database = try open()
    return try changing.withLock { _ in
      let result = try database.erase(subject)
      forget(subject)
      return result
    }
  }

  /// Moves all data of a subject to another one.
  ///
  /// The subject's registrations are removed.
  func move(_ subject: Symbol, to other: Symbol, isNew: Bool) throws -> MoveResult {
    let database = try open()
    return try changing.withLock { _ in
      let result = try database.move(subject, to: other, isNew: isNew)
      if result.sequence != nil { forget(subject) }
      return result
    }
  }

  private func forget(_ subject: Symbol) {
    state.withLock { state in
      _ = remove(state.entries.keys.filter { $0.subject == subject }, &state)
    }
  }

  private func remove(
    _ keys: [SeriesKey], _ state: inout State
  ) -> [(key: SeriesKey, member: DeliveryEntry.Member)] {
    keys.flatMap { key in
      state.dirty.remove(key)
      let members = state.entries.removeValue(forKey: key)?.members ?? [:]
      return members.values.map { (key, $0) }
    }
  }

  /// Calls observers that have pending changes.
  ///
  /// After this, they are called for every change.
  private func callPending(_ members: [(key: SeriesKey, member: DeliveryEntry.Member)]) {
    let pending = members.filter(\.member.isPending)
    for (key, member) in pending.sorted(by: {
      $0.member.observer.number < $1.member.observer.number
    }) {
      member.observer.deliver(key, [])
    }
  }

  /// Clears a registration's failures, so that delivery resumes.
  ///
  /// Returns false if there is no registration.
  ///
  /// Unacknowledged changes are delivered at once if an observer is running.
  func reset(_ key: SeriesKey) throws -> Bool {
    let database = try open()
    let isKnown = try changing.withLock { _ in
      guard var registration = try current(key, database) else { return false }
      registration.isStopped = false
      registration.failureCount = 0
      try database.update([(key, registration)])
      return true
    }
    _ = change(key, database) { entry, _, _ in entry.reset() }
    return isKnown
  }

  /// Returns the current registration of a series, or nil if it has none.
  func current(_ key: SeriesKey, _ database: Database) throws -> DeliveryRegistration? {
    try registration(of: key) ?? database.registration(of: key)
  }

  /// Returns the current registrations of a subject.
  func registrations(
    of subject: Symbol
  ) throws -> [(key: SeriesKey, registration: DeliveryRegistration)] {
    let database = try open()
    return try changing.withLock { _ in
      try database.registrations(of: subject).map { key, stored in
        (key, registration(of: key) ?? stored)
      }
    }
  }

  func open() throws -> Database {
    guard let database, !database.isClosed else { throw StoreError.closed }
    return database
  }
}
