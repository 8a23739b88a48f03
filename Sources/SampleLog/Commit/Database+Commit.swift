/// The result of a commit.
public struct CommitResult: Hashable, Sendable {
  /// The sequence numbers of the commit's records, or nil if no record was written.
  public var sequences: ClosedRange<UInt64>?
  /// The number of samples that were not saved because the store has a sample with the same sync
  /// identifier and the same or a higher version.
  public var superseded = 0
  /// The number of samples that were deleted because a newer version replaced them.
  public var replaced = 0
  /// The positions in the batch of samples that were skipped because a live sample, or an earlier
  /// one of the batch, has their identifier.
  ///
  /// Empty unless the batch requests it.
  package var known: Set<Int> = []
}

extension Database {
  /// Commits a batch atomically.
  ///
  /// A sample with a sync identifier replaces the live sample of its series with the same sync
  /// identifier and a lower version. A sample whose version is not higher than the stored one is
  /// skipped.
  ///
  /// - Parameters:
  ///   - batch: The samples, deletions and settings to commit.
  ///   - durability: The condition on which to return, or nil for the durability that the database
  ///     was opened with.
  /// - Returns: The result, once the commit is durable (unless ``Durability/buffered`` was
  ///   requested) and visible to new snapshots.
  /// - Throws: ``StoreError/duplicate(_:)``, ``StoreError/notFound(_:)``,
  ///   ``StoreError/invalid(_:)``, ``StoreError/limitExceeded(_:actual:allowed:)``,
  ///   ``StoreError/replaced(path:)``, ``StoreError/forked(path:)``,
  ///   ``StoreError/replica(path:primary:)``, ``StoreError/fenced(epoch:)``, or
  ///   ``StoreError/inputOutput(operation:path:code:message:)``. After an error, no part of the
  ///   batch is in the store, now or later, with one exception: if the disk rejects every operation
  ///   until the process ends, the next process may recover the complete batch.
  @discardableResult
  public func commit(_ batch: Batch, durability: Durability? = nil) throws -> CommitResult {
    try commit(durability) { try $0.prepare(batch) }
  }

  /// Atomically commits the batch that a closure makes from a snapshot.
  ///
  /// The closure is called again with a newer snapshot if a concurrent commit changed the samples
  /// that its batch adds, deletes, replaces or adds child rows to. Other data that it read may have
  /// changed by the time of the commit. The closure must not commit, because this call may hold the
  /// log exclusively.
  ///
  /// - Throws: The errors of the closure and of ``commit(_:durability:)``.
  @discardableResult
  package func commit(making makeBatch: (Snapshot) throws -> Batch) throws -> CommitResult {
    try commit(nil) { try $0.prepare(try makeBatch($0.snapshot)) }
  }

  /// The number of optimistic attempts before a commit is prepared with exclusive access to the
  /// log.
  private static let concurrentPreparations = 3

  /// Commits the records that a closure prepares.
  ///
  /// Calls it again with a newer snapshot if its result conflicts with a concurrent commit.
  ///
  /// After repeated conflicts, with other commits or because rows moved to segments, the commit is
  /// prepared with exclusive access. Otherwise smaller commits could overtake a large one
  /// indefinitely.
  func commit(
    _ durability: Durability? = nil, _ prepare: (inout Preparation) throws -> Void
  ) throws -> CommitResult {
    try checkWritable()
    for _ in 0..<Self.concurrentPreparations {
      let result = try attempt(durability, prepare) { pending in
        committer.submit(pending) { lead($0) }
      }
      if let result { return result }
    }
    return try commitExclusively(durability, prepare)
  }

  /// Commits the records that a closure prepares, with exclusive access to the log.
  func commitExclusively(
    _ durability: Durability?, _ prepare: (inout Preparation) throws -> Void
  ) throws -> CommitResult {
    try committer.exclusively {
      while true {
        if let result = try attempt(durability, prepare, submit: { lead([$0]) }) { return result }
      }
    }
  }

  /// Prepares a commit from the newest snapshot and submits it.
  ///
  /// - Returns: The result, or nil if the commit conflicted with a concurrent one.
  func attempt(
    _ durability: Durability?, _ prepare: (inout Preparation) throws -> Void,
    submit: (PendingCommit) -> Void
  ) throws -> CommitResult? {
    try checkSaving()
    let (snapshot, arrangement) = state.withLock { ($0.snapshot, $0.arrangement) }
    // A `let` is passed by reference; a `var` with all its columns would be copied.
    let preparation = try self.preparation(from: snapshot, prepare)
    guard preparation.payload.recordCount > 0 else { return preparation.result }
    try usage?.prepare(preparation.payload, self)
    let stored = try preparation.stored()
    let pending = PendingCommit(
      preparation, stored, arrangement: arrangement,
      isDurable: (durability ?? options.durability) == .durable)
    submit(pending)
    switch pending.outcome {
    case .committed(let first):
      var result = pending.preparation.result
      result.sequences = first...first + UInt64(pending.payload.recordCount) - 1
      return result
    case .failed(let error): throw error
    case .stale, .waiting: return nil
    }
  }

  private func preparation(
    from snapshot: Snapshot, _ prepare: (inout Preparation) throws -> Void
  ) throws -> Preparation {
    var preparation = Preparation(snapshot: snapshot, options: options)
    try prepare(&preparation)
    try preparation.addDependentRows(from: delegates)
    return preparation
  }

  func submitFlush() throws {
    try committer.exclusively {
      try checkInPlace()
      guard let writer = committer.writer else { throw StoreError.closed }
      try writer.sync()
    }
  }

  /// Writes a group of commits with one write, one sync and one publication.
  func lead(_ group: [PendingCommit]) {
    do {
      try checkSaving()
      try checkInPlace()
      try makeRoom()
      guard let writer = committer.writer else { throw StoreError.closed }
      let records = group.reduce(0) { $0 + UInt64($1.payload.recordCount) }
      guard committer.next <= StoreLimit.sequence - records + 1 else { throw StoreError.exhausted }
      let frames = Frames(group, from: committer.next, writer: writer, self)
      guard !frames.accepted.isEmpty else { return }
      let first = committer.next
      // The sequence numbers of a failed group are not reused, because a reader in another process
      // may have seen them.
      committer.next = frames.next
      let start = ContinuousClock.now
      do {
        try writer.append(
          frames.bytes, last: frames.next - 1, chain: frames.chain, history: frames.history,
          isDurable: frames.accepted.contains { $0.pending.isDurable },
          isGrowing: frames.accepted.contains { $0.pending.payload.rows.count > 0 })
      } catch {
        for commit in frames.accepted { commit.pending.outcome = .failed(error) }
        if case StoreError.inputOutput(_, _, let code, _) = error, PosixFileSystem.isFull(code) {
          checkSpace(isFull: true)
        }
        // A successor log that states where this one ends prevents recovery from restoring the
        // failed commits after a crash. If the rotation fails as well, the next commit tries again.
        if writer.hasFailed {
          try? rotate()
        } else {
          // Nothing was written, and sequence numbers within a log have no gaps.
          committer.next = first
        }
        return
      }
      // The dependencies of a failed group would make every commit that deletes those rows stale
      // forever.
      committer.dependencies = frames.dependencies
      activity.withLock { activity in
        activity.commitCount += frames.accepted.count
        activity.recordCount += Int(frames.next - first)
        activity.writes.add(since: start)
      }
      for commit in frames.accepted { committer.rawBytes += commit.pending.stored.rawLength }
      publish(frames)
    } catch {
      for pending in group {
        if case .waiting = pending.outcome { pending.outcome = .failed(error) }
      }
    }
  }

  /// Makes durable commits visible, notifies observers and then acknowledges the commits.
  private func publish(_ frames: Frames) {
    let (memTable, before) = state.withLock { ($0.active, $0.snapshot.end) }
    var touched: [SeriesKey] = []
    var deleted: [UInt64] = []
    // Checks flags first: few commits have deletions or settings, and accessing a payload copies
    // two dozen columns.
    for (pending, first) in frames.accepted {
      touched += memTable.append(pending.preparation.payload, first: first, time: frames.time)
      if pending.hasSettings { touched += seriesTouched(bySettings: pending.payload) }
      if pending.hasDeletions { deleted += pending.payload.deletedSequences }
      deleted += pending.preparation.erased
    }
    state.withLock { state in
      for (pending, first) in frames.accepted where pending.hasSettings {
        state.note(pending.payload, first: first)
      }
      state.publish(end: frames.next - 1, deleted: deleted)
    }
    if let usage {
      for commit in frames.accepted { usage.note(commit.pending, first: commit.first, symbols) }
    }
    notifier.notify(before: before, end: frames.next - 1, touched: touched)
    for commit in frames.accepted { commit.pending.outcome = .committed(first: commit.first) }
  }

  /// Rotates the log if the active one is full or has failed.
  func makeRoom() throws {
    guard let writer = committer.writer else { throw StoreError.closed }
    let memTable = state.withLock { $0.active }
    // A log with repetitive contents compresses well, but its uncompressed records take memory.
    let isFull =
      memTable.rowCount >= options.logRowCount
      || max(writer.length, committer.rawBytes) >= options.sealByteCount
    guard isFull || writer.hasFailed else { return }
    try rotate()
  }
}
