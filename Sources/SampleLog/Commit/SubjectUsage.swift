/// How much the subjects have that samples were added to, while a quota limits that.
///
/// A subject is counted when a commit is first prepared for it, outside of the leader's turn; from
/// then on each commit that is published changes its count.
final class SubjectUsage: Sendable {
  private struct Entry {
    /// The live samples; nil while they are being counted.
    var sampleCount: Int?
    /// What the count has in it.
    var through: UInt64 = 0
    /// Changes that were published while they were being counted.
    var changes: [(first: UInt64, change: Int)] = []
    /// The bytes in segments, and in which arrangement of them.
    var byteCount: (count: Int, arrangement: Int)?
  }

  private struct State {
    var entries: [Symbol: Entry] = [:]
    /// How often everybody was forgotten.
    var resetCount = 0
  }

  private let quota: SubjectQuota
  private let state = Locked(State())

  init(_ quota: SubjectQuota) { self.quota = quota }

  // MARK: On the saver's thread

  /// Sees to it that the subjects of new samples are counted, and refuses what has too many bytes.
  ///
  /// - Throws: ``StoreError/limitExceeded(_:actual:allowed:)``, and
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
  func prepare(_ payload: CommitPayload, _ database: Database) throws {
    for (subject, change) in payload.sampleCountChanges(database.symbols) where change > 0 {
      if quota.sampleCount != nil { try count(subject, database) }
      if let allowed = quota.byteCount {
        let actual = byteCount(of: subject, database)
        if actual >= allowed {
          throw StoreError.limitExceeded(.subjectBytes, actual: actual, allowed: allowed)
        }
      }
    }
  }

  private func count(_ subject: Symbol, _ database: Database) throws {
    let resetCount = state.withLock { state -> Int? in
      if state.entries[subject]?.sampleCount != nil { return nil }
      // Commits that the snapshot below has not are noted from here on.
      if state.entries[subject] == nil { state.entries[subject] = Entry() }
      return state.resetCount
    }
    guard let resetCount else { return }
    let snapshot = database.snapshot()
    let count = try snapshot.sampleCount(of: subject)
    state.withLock { state in
      guard state.resetCount == resetCount, var entry = state.entries[subject],
        entry.sampleCount == nil
      else { return }
      entry.through = snapshot.end
      entry.sampleCount = entry.changes.reduce(count) { sum, one in
        one.first > snapshot.end ? sum + one.change : sum
      }
      entry.changes = []
      state.entries[subject] = entry
    }
  }

  private func byteCount(of subject: Symbol, _ database: Database) -> Int {
    let (snapshot, arrangement) = database.state.withLock { ($0.snapshot, $0.arrangement) }
    let known = state.withLock { $0.entries[subject]?.byteCount }
    if let known, known.arrangement == arrangement { return known.count }
    let count = snapshot.byteCount(of: subject)
    state.withLock { $0.entries[subject, default: Entry()].byteCount = (count, arrangement) }
    return count
  }

  // MARK: In the leader's turn

  /// Checks a commit; `group` has what those before it in the group change, and takes its changes.
  ///
  /// - Returns: Whether all its subjects are counted.
  /// - Throws: ``StoreError/limitExceeded(_:actual:allowed:)``.
  func admit(
    _ payload: CommitPayload, _ symbols: SymbolTable, _ group: inout [Symbol: Int]
  ) throws -> Bool {
    guard let allowed = quota.sampleCount else { return true }
    let changes = payload.sampleCountChanges(symbols)
    let entries = state.withLock { $0.entries }
    for (subject, change) in changes where change > 0 {
      guard let count = entries[subject]?.sampleCount else { return false }
      let actual = count + group[subject, default: 0] + change
      if actual > allowed {
        throw StoreError.limitExceeded(.subjectSamples, actual: actual, allowed: allowed)
      }
    }
    group.merge(changes, uniquingKeysWith: +)
    return true
  }

  /// Takes note of a commit that new snapshots have.
  func note(_ pending: PendingCommit, first: UInt64, _ symbols: SymbolTable) {
    // What was erased without a record of each is counted again.
    if !pending.preparation.erased.isEmpty {
      return state.withLock { $0 = State(resetCount: $0.resetCount + 1) }
    }
    let changes = pending.payload.sampleCountChanges(symbols)
    state.withLock { state in
      for (subject, change) in changes {
        guard var entry = state.entries[subject] else { continue }
        if entry.sampleCount == nil {
          entry.changes.append((first, change))
        } else if first > entry.through {
          entry.sampleCount? += change
        }
        state.entries[subject] = entry
      }
    }
  }
}

extension Snapshot {
  /// How many live samples a subject has, those of others' not counted.
  fileprivate func sampleCount(of subject: Symbol) throws -> Int {
    try sampleCount(series(of: subject).filter { !symbols.isOwnedType($0.type) })
  }
}
