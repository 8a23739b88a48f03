/// The part of a database's state that every reader needs.
///
/// Its lock is held only to copy or replace it, so readers do not wait for commits.
struct PublishedState: Sendable {
  var snapshot: Snapshot
  /// Whether the database is closed or closing.
  var isClosed = false
}

/// The mutable state of a database, guarded by its lock and published as snapshots.
struct DatabaseState: Sendable {
  private(set) var snapshot: Snapshot
  /// The snapshot for readers, which do not take the lock of this state.
  let published: Locked<PublishedState>
  private(set) var segments: [Segment]
  /// The memtables, oldest first; the last accepts commits, the others wait to be sealed.
  private(set) var memTables: [MemTable]
  /// The log of each memtable; only the writer knows the end of the active one.
  private(set) var logs: [LogExtent]
  /// The snapshot at the closing of each waiting memtable.
  ///
  /// Its log had been synced by then, so sealing may omit samples deleted in that snapshot.
  private(set) var closings: [Snapshot]
  private(set) var deleted: DeletionVector
  private(set) var floor: UInt64
  private(set) var settings: Settings
  private var erasures: [Symbol: Erasure]
  /// The greatest sequence number of an erasure so far, or 0; forgetting does not lower it.
  private(set) var lastErasure: UInt64
  var damages: [Damage]
  var isClosed = false { didSet { publishClosing() } }
  /// Whether the database is closing, so that background merging must stop.
  var isClosing = false { didSet { publishClosing() } }
  /// The error of the last background sealing or merge, if it failed.
  var backgroundFailure: String?
  /// The number of deleted samples that sealing has omitted.
  private(set) var droppedBySealing = 0
  /// A counter that increases whenever rows move from a memtable to a segment or between segments.
  private(set) var arrangement = 0
  private var lastGeneration: UInt32 = 0

  /// Creates the state after recovery, and replaces the snapshot that an earlier state published.
  init(
    _ recovered: Recovered, symbols: SymbolTable, caches: Snapshot.Caches,
    replacing other: Locked<PublishedState>? = nil
  ) {
    segments = recovered.segments
    memTables = recovered.memTables
    logs = recovered.logs
    deleted = recovered.deleted
    floor = recovered.floor
    settings = recovered.settings
    erasures = recovered.settings.erasures(symbols)
    lastErasure = erasures.values.map(\.sequence).max() ?? 0
    damages = recovered.damages
    snapshot = Snapshot(
      identity: recovered.identity, end: recovered.end, floor: recovered.floor, symbols: symbols,
      segments: recovered.segments, memTables: recovered.memTables, deleted: recovered.deleted,
      erasures: erasures, caches: caches)
    closings = recovered.memTables.dropLast().map { [snapshot] _ in snapshot }
    published = other ?? Locked(PublishedState(snapshot: snapshot))
    if other != nil { publishSnapshot() }
  }

  var active: MemTable { memTables[memTables.count - 1] }

  /// Makes commits through a sequence number visible.
  mutating func publish(end: UInt64, deleted: [UInt64]) {
    if !deleted.isEmpty { self.deleted.insert(deleted) }
    republish(end: end)
  }

  /// Records the settings of a commit that is being published.
  mutating func note(_ payload: CommitPayload, first: UInt64) {
    for setting in payload.settings(first: first) {
      settings.keep(setting)
      guard let erasure = Erasure(setting, snapshot.symbols) else { continue }
      erasures[erasure.subject] = erasure
      lastErasure = max(lastErasure, erasure.sequence)
      // Concurrently prepared commits may depend on erased rows.
      arrangement += 1
    }
  }

  /// Replaces the active log with another empty one.
  mutating func replaceActive(by log: LogExtent) {
    logs[logs.count - 1] = log
  }

  /// Begins an epoch without visible commits.
  mutating func begin(_ identity: StoreIdentity) {
    republish(end: snapshot.end, as: identity)
  }

  /// Begins a memtable and its log; `end` is the end of the previous log.
  mutating func begin(_ memTable: MemTable, _ log: LogExtent, after end: LogEnd) {
    closings.append(snapshot)
    memTables.append(memTable)
    logs[logs.count - 1].end = end
    logs.append(log)
    republish(end: snapshot.end)
  }

  /// Replaces the oldest memtable with the segment it was sealed into, or nil if it was empty.
  mutating func replaceOldestMemTable(by segment: Segment?, dropped: [UInt64]) {
    memTables.removeFirst()
    logs.removeFirst()
    closings.removeFirst()
    if let segment { segments.append(segment) }
    deleted.remove(dropped)
    droppedBySealing += dropped.count
    arrangement += 1
    republish(end: snapshot.end)
  }

  /// Returns a generation above those of a group of segments and above all returned before.
  ///
  /// An unfinished segment may nevertheless exist in the directory. If another segment of the same
  /// generation overlapped it, recovery could not choose between them.
  mutating func nextGeneration(after group: [Segment]) -> UInt32 {
    lastGeneration = max(lastGeneration, group.map(\.header.generation).max() ?? 0) + 1
    return lastGeneration
  }

  /// Replaces adjacent segments with their compacted segment, which omits some deleted samples and
  /// erasures.
  mutating func replace(
    _ old: [Segment], by new: Segment, dropped: [UInt64], forgotten: [Setting]
  ) {
    guard let first = old.first, let index = segments.firstIndex(where: { $0 === first }) else {
      return
    }
    segments.replaceSubrange(index..<index + old.count, with: [new])
    deleted.remove(dropped)
    floor = max(floor, new.header.floor)
    if !forgotten.isEmpty {
      settings.forget(forgotten)
      erasures = settings.erasures(snapshot.symbols)
    }
    arrangement += 1
    republish(end: snapshot.end)
  }

  private mutating func republish(end: UInt64, as identity: StoreIdentity? = nil) {
    snapshot = Snapshot(
      identity: identity ?? snapshot.identity, end: end, floor: floor, symbols: snapshot.symbols,
      segments: segments, memTables: memTables, deleted: deleted, erasures: erasures,
      caches: snapshot.caches)
    publishSnapshot()
  }

  private func publishSnapshot() {
    var new = snapshot
    // The old snapshot may hold the last reference to a memtable, which is freed outside the lock.
    published.withLock { swap(&$0.snapshot, &new) }
  }

  private func publishClosing() {
    let isClosed = isClosed || isClosing
    published.withLock { $0.isClosed = isClosed }
  }
}
