/// What a commit did.
public struct CommitResult: Hashable, Sendable {
  /// The sequence numbers it took; nil when there was nothing left to do.
  public var sequences: ClosedRange<UInt64>?
  /// Samples not saved because one with the same synchronisation identifier and the same or a
  /// higher version is in the store.
  public var superseded = 0
  /// Samples deleted because a newer version replaced them.
  public var replaced = 0
  /// Where in the batch the samples are that were left out because a live sample, or one before
  /// them, has their identifier; only of a batch that says so.
  package var known: Set<Int> = []
}

extension Database {
  /// Commits a batch: all of it or nothing.
  ///
  /// A sample with a synchronisation identifier replaces the live one of its series with the same
  /// identifier and a lower version; one that is not newer is left out.
  ///
  /// - Parameters:
  ///   - batch: What to add and delete.
  ///   - durability: When to return; nil for what the database was opened with.
  /// - Returns: What it did, once that is durable (unless ``Durability/buffered`` is enough) and
  ///   visible to new snapshots.
  /// - Throws: ``StoreError/duplicate(_:)``, ``StoreError/notFound(_:)``,
  ///   ``StoreError/invalid(_:)``, ``StoreError/limitExceeded(_:actual:allowed:)``,
  ///   ``StoreError/replaced(path:)``, ``StoreError/forked(path:)``,
  ///   ``StoreError/replica(path:primary:)``, ``StoreError/fenced(epoch:)``, or
  ///   ``StoreError/inputOutput(operation:path:code:message:)``,
  ///   after which nothing of the batch is in the store, now or later, unless the disk refuses
  ///   everything until the process ends: then another may find the batch, all of it.
  @discardableResult
  public func commit(_ batch: Batch, durability: Durability? = nil) throws -> CommitResult {
    try commit(durability) { try $0.prepare(batch) }
  }

  /// Commits the batch that a function makes from a snapshot: all of it or nothing.
  ///
  /// The function is called again, with a newer snapshot, when another commit changed the samples
  /// that its batch adds, deletes, replaces, or adds rows to; what else it read may have changed.
  /// It must not commit anything, because the log may be held for this call alone.
  ///
  /// - Throws: What the function and ``commit(_:durability:)`` throw.
  @discardableResult
  package func commit(making makeBatch: (Snapshot) throws -> Batch) throws -> CommitResult {
    try commit(nil) { try $0.prepare(try makeBatch($0.snapshot)) }
  }

  /// How often a commit is prepared beside others before it is prepared with the log to itself.
  private static let concurrentPreparations = 3

  /// Commits what a function prepares; it is called again, with a newer snapshot, when what it
  /// prepared no longer holds.
  ///
  /// A commit that is overtaken again and again, by others or by rows that move to segments, is at
  /// last prepared while nobody else commits: it may be large, and they would overtake it for ever.
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

  /// Commits what a function prepares while nobody else commits.
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
  /// - Returns: nil when it was overtaken.
  func attempt(
    _ durability: Durability?, _ prepare: (inout Preparation) throws -> Void,
    submit: (PendingCommit) -> Void
  ) throws -> CommitResult? {
    try checkSaving()
    let (snapshot, arrangement) = state.withLock { ($0.snapshot, $0.arrangement) }
    // A constant is borrowed, where a variable with all its columns would be copied.
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
    try preparation.follow(delegates)
    return preparation
  }

  func submitFlush() throws {
    try committer.exclusively {
      try checkInPlace()
      guard let writer = committer.writer else { throw StoreError.closed }
      try writer.sync()
    }
  }

  /// Writes a group of commits: one write, one sync, one publication.
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
      // Numbers of a failed group are not given again: a reader elsewhere may have seen them.
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
        // A successor that states where this log ends keeps the failed commits from coming back
        // after a crash. Where that fails, too, the next commit tries again.
        if writer.hasFailed {
          try? rotate()
        } else {
          // Nothing was written, and within a log numbers have no gaps.
          committer.next = first
        }
        return
      }
      // Those of a failed group would make every commit that deletes their rows stale for ever.
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

  /// Durable, then visible, then observers are notified, then it is acknowledged.
  private func publish(_ frames: Frames) {
    let (memTable, before) = state.withLock { ($0.active, $0.snapshot.end) }
    var touched: [SeriesKey] = []
    var deleted: [UInt64] = []
    // Few commits delete anything or have settings, and each payload is two dozen columns to copy.
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

  /// Starts a new log when the active one is full or has failed.
  func makeRoom() throws {
    guard let writer = committer.writer else { throw StoreError.closed }
    let memTable = state.withLock { $0.active }
    // A log is small where much of it is the same, but what it says takes memory.
    let isFull =
      memTable.rowCount >= options.logRowCount
      || max(writer.length, committer.rawBytes) >= options.sealByteCount
    guard isFull || writer.hasFailed else { return }
    try rotate()
  }
}
