/// The consecutive log frames of a group of commits.
struct Frames {
  private(set) var accepted: [(pending: PendingCommit, first: UInt64)] = []
  private(set) var bytes: [UInt8] = []
  private(set) var next: UInt64
  private(set) var chain: UInt32
  private(set) var history: HistoryChain
  /// The samples that recent commits, including those framed here, depend on.
  private(set) var dependencies: RecentDependencies
  let time: Double

  /// Frames the commits that are still valid and marks the others as stale.
  init(_ group: [PendingCommit], from next: UInt64, writer: LogWriter, _ database: Database) {
    self.next = next
    chain = writer.frameChain
    history = writer.history
    time = database.options.clock()
    dependencies = database.committer.dependencies
    var conflicts = Conflicts(database)
    var counts: [Symbol: Int] = [:]
    for pending in group {
      // Also checks against earlier commits of the group, whose sequence numbers are greater than
      // `end`.
      guard
        dependencies.leave(pending.payload.deletions.id, since: pending.preparation.snapshot.end),
        conflicts.admit(pending, isAlone: group.count == 1)
      else {
        pending.outcome = .stale
        continue
      }
      do {
        guard try database.usage?.admit(pending.payload, database.symbols, &counts) ?? true else {
          pending.outcome = .stale
          continue
        }
      } catch {
        pending.outcome = .failed(error)
        continue
      }
      append(pending, writer)
    }
  }

  private mutating func append(_ pending: PendingCommit, _ writer: LogWriter) {
    let header = FrameHeader(
      storedLength: pending.stored.bytes.count, rawLength: pending.stored.rawLength, first: next,
      count: UInt32(pending.payload.recordCount), durableThrough: writer.durableThrough,
      time: time, payloadChecksum: pending.stored.checksum, salt: writer.header.salt)
    let encoded = header.encoded
    chain = chained(chain, encoded)
    history.append(header)
    bytes.append(contentsOf: encoded)
    bytes.append(contentsOf: pending.stored.bytes)
    while bytes.count % 8 != 0 { bytes.append(0) }
    accepted.append((pending, next))
    dependencies.note(pending.preparation.dependencies, first: next)
    next += UInt64(pending.payload.recordCount)
  }
}

/// A check for conflicts between the snapshot that a commit was prepared from and later commits.
private struct Conflicts {
  private let state: (snapshot: Snapshot, arrangement: Int)
  private var ids: Set<Identifier> = []
  private var targets: Set<UInt64> = []
  private var syncKeys: Set<UInt64> = []
  private var parents: Set<Identifier> = []
  private var deleted: Set<Identifier> = []

  init(_ database: Database) {
    state = database.state.withLock { ($0.snapshot, $0.arrangement) }
  }

  /// Returns whether no later commit and no earlier one of the group touched the same samples.
  mutating func admit(_ pending: PendingCommit, isAlone: Bool) -> Bool {
    guard holds(pending) else { return false }
    if isAlone { return true }
    let payload = pending.payload
    guard payload.rows.id.allSatisfy({ !ids.contains($0) }),
      payload.deletions.target.allSatisfy({ !targets.contains($0) }),
      pending.preparation.syncKeys.allSatisfy({ !syncKeys.contains($0) }),
      pending.preparation.parents.isDisjoint(with: parents),
      pending.preparation.dependencies.isDisjoint(with: deleted)
    else { return false }
    ids.formUnion(payload.rows.id)
    targets.formUnion(payload.deletions.target)
    syncKeys.formUnion(pending.preparation.syncKeys)
    parents.formUnion(pending.preparation.parents)
    deleted.formUnion(payload.deletions.id)
    return true
  }

  private func holds(_ pending: PendingCommit) -> Bool {
    let snapshot = state.snapshot
    // Nothing was committed since then; rows that moved to segments are unchanged.
    if pending.preparation.snapshot.end == snapshot.end { return true }
    // Rows committed since then may be in segments, which are not searched here.
    guard pending.arrangement == state.arrangement else { return false }
    // Newer rows are not searched for children of the same parents either. Commits with parents or
    // dependencies are rare, so any later commit counts as a conflict.
    guard pending.preparation.parents.isEmpty, pending.preparation.dependencies.isEmpty else {
      return false
    }
    let payload = pending.payload
    if payload.deletions.target.contains(where: snapshot.deleted.contains) { return false }
    let isNew = { (sequence: UInt64) in
      sequence > pending.preparation.snapshot.end && !snapshot.deleted.contains(sequence)
    }
    return snapshot.memTables.allSatisfy { memTable in
      let clash = payload.rows.id.withUnsafeBufferPointer { memTable.firstMatch($0, where: isNew) }
      return clash == nil
        && pending.preparation.syncKeys.allSatisfy { key in
          memTable.newest(
            syncKey: key, after: pending.preparation.snapshot.end, through: snapshot.end,
            where: isNew) == nil
        }
    }
  }
}
