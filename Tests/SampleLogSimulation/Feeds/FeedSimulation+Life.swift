import SampleLog

/// Opens, crashes, recovers, seals and compacts the simulated store.
extension FeedSimulation {
  func open() throws {
    opening += 1
    snapshots = []
    record(.compacting)
    var options = Database.Options()
    options.sealsInBackground = plan.isMerging
    // With background work, steps seal and wait for its end.
    if !plan.isMerging { options.sealRowCount = plan.sealRowCount }
    options.segmentRowCount = plan.segmentRowCount
    options.blockCacheByteCount = plan.blockCacheByteCount
    options.deletionRetention = .seconds(plan.retention)
    options.registrationRetention = .seconds(plan.deliveryRetention)
    options.expiryBatchCount = Self.expiryBatchCount
    options.clock = { [unowned self] in now }
    // Independent of the steps' numbers, whose meaning must not depend on the number of files
    // created.
    let salts = Salts(plan.seed &+ UInt64(opening))
    options.random = { salts.next() }
    let stepping = SteppingFileSystem(files) { [unowned self] in stepWithinWriting() }
    let database = try Database(path: "store", options: options, fileSystem: stepping)
    database.waitForBackgroundWork()
    self.database = database
    unsealedCount = 0
    keys = Self.keys(database)
    // The process may have died while opening.
    if hasCrashed { return }
    try database.checkInvariants()
    try resolveInFlight(database)
    var sequences: [Int: UInt64] = [:]
    for (name, sequence) in database.acknowledgements {
      if let subscriber = subscribers.first(where: { $0.durableName == name }) {
        sequences[subscriber.number] = sequence
      }
    }
    record(.opened(end: database.end, sequences: sequences))
    if database.end != model.end {
      record(.broken("opened with the end \(database.end), expected \(model.end)"))
    }
    recordFloor(database)
    try recallRegistrations(database)
    for subscriber in subscribers where !subscriber.isStopped { goOn(subscriber) }
  }

  func recordFloor(_ database: Database) {
    record(.floor(database.snapshot().floor, now: latest, retention: plan.retention))
  }

  /// Resolves the commit that was in progress when the process died: it is present completely or
  /// not at all, and no subscriber was notified.
  private func resolveInFlight(_ database: Database) throws {
    defer { inFlight = nil }
    guard let inFlight, database.end > model.end else { return }
    switch inFlight {
    case .batch(let targets, let added):
      let count = UInt64(targets.count + added.count)
      guard database.end == model.end + count else {
        return record(.broken("\(database.end - model.end) of a batch of \(count) are present"))
      }
      committed(targets: targets, added: added, end: database.end)
    case .expiry(var left): try expired(&left, database)
    case .acknowledging(let subscriber, let sequence):
      committed(targets: [], added: [], end: database.end)
      notified(subscriber, sequence, database.snapshot().floor)
    case .registering(let series, let registration):
      committed(targets: [], added: [], end: database.end)
      notified(series, registration)
    }
  }

  func reopen() throws {
    silenceAll()
    try database?.close()
    guard !hasCrashed else { return }
    database = nil
    try open()
  }

  /// Ends the process.
  ///
  /// Operations in progress continue on files that are discarded.
  func die() {
    guard !hasCrashed else { return }
    image = files.copy()
  }

  /// Opens the files that the process left, repeatedly if it dies while opening.
  func recover() throws {
    while let left = image {
      silenceAll()
      database = nil
      files = left
      image = nil
      nesting = .none
      record(.died)
      try open()
    }
  }

  private func silenceAll() {
    for subscriber in subscribers {
      subscriber.observation?.cancel()
      subscriber.observation = nil
    }
  }

  func tick() {
    let seconds = Double(random.drawn(below: 150))
    let isFar = random.once(in: 4)
    let isBack = random.once(in: 2)
    switch plan.clock {
    case .still: break
    case .forward: now += seconds
    case .wild: now += (isBack ? -1 : 1) * seconds * (isFar ? 1e7 : 1)
    }
    latest = max(latest, now)
  }

  // MARK: Sealing, merging and compaction

  /// Seals the log, and waits for the resulting background work.
  ///
  /// Steps nested in its writes run on the background thread while this one waits.
  func seal() throws {
    guard let database, !hasCrashed else { return }
    guard plan.isMerging else { return try database.seal() }
    // Waiting for the end of a compaction from within it would deadlock.
    guard nesting == .none else { return }
    unsealedCount = 0
    if random.once(in: 3) { tick() }
    latest = now
    record(.compacting)
    try database.seal()
    database.waitForBackgroundWork()
    if !hasCrashed { recordFloor(database) }
  }

  /// Seals a log with enough rows if segments are merged in the background; otherwise the engine
  /// does so.
  func sealWhenFull() throws {
    if plan.isMerging, unsealedCount >= plan.sealRowCount { try seal() }
  }

  func compact() throws {
    guard let database else { return }
    let isAlone = random.once(in: 2)
    let mayStop = random.once(in: 5)
    try seal()
    // Usually skipped, so that background merging is exercised.
    if hasCrashed || plan.isMerging && !random.once(in: 4) { return }
    latest = now
    record(.compacting)
    let before = isAlone ? netFeeds(database) : []
    nesting = .compacting
    defer { nesting = .none }
    do {
      try database.compact(
        progress: { _ in
          guard !isAlone, !hasCrashed, random.once(in: 2) else { return }
          do { try step() } catch { record(.broken("within a compaction: \(error)")) }
        },
        isCancelled: { mayStop && random.once(in: 3) })
    } catch StoreError.cancelled {}
    nesting = .none
    if hasCrashed { return }
    recordFloor(database)
    guard isAlone, database.end == model.end else { return }
    let floor = database.snapshot().floor
    for (sequence, changes) in before {
      if sequence != 0, sequence < floor { continue }
      let after = try changesNow(database, after: sequence)
      record(.compared(after: sequence, floor: floor, changes, after))
    }
  }

  private func netFeeds(_ database: Database) -> [(UInt64, [DeliveredChange])] {
    var sequences: Set<UInt64> = [0, database.end, database.snapshot().floor]
    for _ in 0..<6 { sequences.insert(UInt64(random.drawn(below: Int(database.end) + 1))) }
    return sequences.sorted().compactMap { sequence in
      (try? changesNow(database, after: sequence)).map { (sequence, $0) }
    }
  }

  private func changesNow(_ database: Database, after sequence: UInt64) throws -> [DeliveredChange]
  {
    try database.snapshot().changes(after: Anchor(sequence: sequence)).changes.map { change($0) }
  }
}

/// Numbers for identities and salts.
private final class Salts: Sendable {
  private let random: Locked<Seeded>

  init(_ seed: UInt64) { random = Locked(Seeded(seed)) }

  func next() -> UInt64 { random.withLock { $0.next() } }
}
