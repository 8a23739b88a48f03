/// The usage of the subjects that samples were added to, maintained while a quota is set.
///
/// A subject is counted when a committer first prepares a commit for it, outside of the leader's
/// critical section. Each published commit then updates the count. Memory grows with the number of
/// subjects, not with the number of commits.
final class SubjectUsage: Sendable {
  private struct Entry {
    /// The number of live samples, or nil while committers count them.
    var sampleCount: Int?
    /// The sequence number through which the count includes all commits.
    var through: UInt64 = 0
    /// The number of committers that are counting.
    var counters = 0
    /// Changes that were published during the count.
    var changes: [(first: UInt64, change: Int)] = []
  }

  private struct State {
    var entries: [Symbol: Entry] = [:]
    /// The bytes in segments, and the arrangement of the segments in which they were counted.
    var byteCounts: [Symbol: (count: Int, arrangement: Int)] = [:]
    /// The number of times that all counts were discarded.
    var resetCount = 0
  }

  private let quota: SubjectQuota
  private let state = Locked(State())

  init(_ quota: SubjectQuota) { self.quota = quota }

  // MARK: On the committing thread

  /// Ensures that the subjects of new samples are counted, and enforces the byte quota.
  ///
  /// - Throws: ``StoreError/limitExceeded(_:actual:allowed:)``, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
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
      // From here on, commits that the snapshot below lacks are recorded in `changes`.
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
      // If no committer is counting, the recorded changes would never be consumed.
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

  // MARK: In the leader's critical section

  /// Checks a commit against the sample quota.
  ///
  /// `group` accumulates the changes of the group's earlier commits.
  ///
  /// - Returns: Whether all subjects of the commit are counted.
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

  /// Updates the counts after a commit became visible to new snapshots.
  func note(_ pending: PendingCommit, first: UInt64, _ symbols: SymbolTable) {
    // Samples erased without individual records require a recount.
    if !pending.preparation.erased.isEmpty {
      return state.withLock { $0 = State(resetCount: $0.resetCount + 1) }
    }
    if quota.sampleCount == nil { return }
    let changes = pending.payload.sampleCountChanges(symbols)
    state.withLock { state in
      for (subject, change) in changes {
        guard let index = state.entries.index(forKey: subject) else { continue }
        // Updated in place: copying the entry would copy its changes.
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
  /// Returns the number of a subject's live samples, excluding child rows.
  fileprivate func sampleCount(of subject: Symbol) throws -> Int {
    try sampleCount(series(of: subject).filter { !symbols.isChildType($0.type) })
  }
}
