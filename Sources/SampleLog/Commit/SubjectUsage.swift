/// The usage of the subjects that samples were added to, while a quota limits it.
///
/// A subject is counted when a saver first prepares a commit for it, outside of the leader's turn;
/// from then on each published commit changes its count. What is kept grows with the number of
/// subjects, never with the number of commits.
final class SubjectUsage: Sendable {
  private struct Entry {
    /// The live samples; nil while savers count them.
    var sampleCount: Int?
    /// The sequence number through which the count has all commits.
    var through: UInt64 = 0
    /// The number of savers that count.
    var counters = 0
    /// Changes that were published while savers counted.
    var changes: [(first: UInt64, change: Int)] = []
  }

  private struct State {
    var entries: [Symbol: Entry] = [:]
    /// The bytes in segments, and the arrangement of the segments that they were counted in.
    var byteCounts: [Symbol: (count: Int, arrangement: Int)] = [:]
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
      // Commits that the snapshot below lacks are noted from here on.
      state.entries[subject, default: Entry()].counters += 1
      return state.resetCount
    }
    guard let resetCount else { return }
    let snapshot = database.snapshot()
    let count = Result { try snapshot.sampleCount(of: subject) }
    state.withLock { state in
      guard state.resetCount == resetCount, var entry = state.entries[subject] else { return }
      entry.counters -= 1
      if entry.sampleCount == nil, case .success(let count) = count {
        entry.through = snapshot.end
        entry.sampleCount = entry.changes.reduce(count) { sum, one in
          one.first > snapshot.end ? sum + one.change : sum
        }
        entry.changes = []
      }
      // Without a saver that counts, nothing would ever take the changes.
      let isNeeded = entry.sampleCount != nil || entry.counters > 0
      state.entries[subject] = isNeeded ? entry : nil
    }
    _ = try count.get()
  }

  private func byteCount(of subject: Symbol, _ database: Database) -> Int {
    let (snapshot, arrangement) = database.state.withLock { ($0.snapshot, $0.arrangement) }
    let known = state.withLock { $0.byteCounts[subject] }
    if let known, known.arrangement == arrangement { return known.count }
    let count = snapshot.byteCount(of: subject)
    state.withLock { $0.byteCounts[subject] = (count, arrangement) }
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
    for (subject, change) in changes where change > 0 {
      let known = state.withLock { $0.entries[subject]?.sampleCount }
      guard let count = known else { return false }
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
    if quota.sampleCount == nil { return }
    let changes = pending.payload.sampleCountChanges(symbols)
    state.withLock { state in
      for (subject, change) in changes {
        guard let index = state.entries.index(forKey: subject) else { continue }
        // In place: a copy of the entry would copy its changes.
        if state.entries.values[index].sampleCount == nil {
          state.entries.values[index].changes.append((first, change))
        } else if first > state.entries.values[index].through {
          state.entries.values[index].sampleCount? += change
        }
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
