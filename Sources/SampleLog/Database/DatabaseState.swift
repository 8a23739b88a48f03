/// What changes in a database, guarded by its lock and published as one snapshot.
struct DatabaseState: Sendable {
  private(set) var snapshot: Snapshot
  private(set) var segments: [Segment]
  /// Oldest first; the last takes commits, the others wait to be sealed.
  private(set) var memTables: [MemTable]
  /// The log of each memtable; where the active one ends its writer knows.
  private(set) var logs: [LogExtent]
  /// For each memtable that waits, what was there when it was closed: its log had been synced then,
  /// so a sample may be left out for a deletion seen here.
  private(set) var closings: [Snapshot]
  private(set) var dead: DeletionVector
  private(set) var floor: UInt64
  private(set) var settings: Settings
  private var erasures: [Symbol: Erasure]
  var damages: [Damage]
  var isClosed = false
  /// Merging in the background gives way to closing.
  var isClosing = false
  /// Why sealing or merging failed when it was tried last in the background.
  var backgroundFailure: String?
  /// Deleted samples that sealing has left out.
  private(set) var droppedBySealing = 0
  /// Rises whenever rows move from a memtable to a segment or between segments.
  private(set) var arrangement = 0
  private var lastGeneration: UInt32 = 0

  init(_ recovered: Recovered, symbols: SymbolTable, caches: Snapshot.Caches) {
    segments = recovered.segments
    memTables = recovered.memTables
    logs = recovered.logs
    dead = recovered.dead
    floor = recovered.floor
    settings = recovered.settings
    erasures = recovered.settings.erasures(symbols)
    damages = recovered.damages
    snapshot = Snapshot(
      identity: recovered.identity, end: recovered.end, floor: recovered.floor, symbols: symbols,
      segments: recovered.segments, memTables: recovered.memTables, dead: recovered.dead,
      erasures: erasures, caches: caches)
    closings = recovered.memTables.dropLast().map { [snapshot] _ in snapshot }
  }

  var active: MemTable { memTables[memTables.count - 1] }

  /// Makes commits up to a sequence number visible.
  mutating func publish(end: UInt64, deleted: [UInt64]) {
    if !deleted.isEmpty { dead.insert(deleted) }
    republish(end: end)
  }

  /// Remembers the settings of a commit that is being published.
  mutating func note(_ payload: CommitPayload, first: UInt64) {
    for setting in payload.settings(first: first) {
      settings.keep(setting)
      guard let erasure = Erasure(setting, snapshot.symbols) else { continue }
      erasures[erasure.subject] = erasure
      // What others have prepared meanwhile may count on what is erased.
      arrangement += 1
    }
  }

  /// Puts another empty log in the place of the active one, which is empty as well.
  mutating func replaceActive(by log: LogExtent) {
    logs[logs.count - 1] = log
  }

  /// Begins an epoch, of which nothing is visible yet.
  mutating func begin(_ identity: StoreIdentity) {
    republish(end: snapshot.end, as: identity)
  }

  /// Begins a memtable and its log; the log before it ends where its writer says.
  mutating func begin(_ memTable: MemTable, _ log: LogExtent, after end: LogEnd) {
    closings.append(snapshot)
    memTables.append(memTable)
    logs[logs.count - 1].end = end
    logs.append(log)
    republish(end: snapshot.end)
  }

  /// Replaces the oldest memtable by the segment it was sealed into; nil when it had nothing.
  mutating func replaceOldestMemTable(by segment: Segment?, dropped: [UInt64]) {
    memTables.removeFirst()
    logs.removeFirst()
    closings.removeFirst()
    if let segment { segments.append(segment) }
    dead.remove(dropped)
    droppedBySealing += dropped.count
    arrangement += 1
    republish(end: snapshot.end)
  }

  /// A generation above all of some segments and above every one given before.
  ///
  /// A segment that could not be finished may be in the directory all the same. No other of its
  /// generation may come to lie across it: opening could not tell which of the two counts.
  mutating func nextGeneration(after group: [Segment]) -> UInt32 {
    lastGeneration = max(lastGeneration, group.map(\.header.generation).max() ?? 0) + 1
    return lastGeneration
  }

  /// Replaces adjacent segments by the one they were compacted into, without some deleted samples
  /// and erasures.
  mutating func replace(
    _ old: [Segment], by new: Segment, dropped: [UInt64], forgotten: [Setting]
  ) {
    guard let first = old.first, let index = segments.firstIndex(where: { $0 === first }) else {
      return
    }
    segments.replaceSubrange(index..<index + old.count, with: [new])
    dead.remove(dropped)
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
      segments: segments, memTables: memTables, dead: dead, erasures: erasures,
      caches: snapshot.caches)
  }
}
