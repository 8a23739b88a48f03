internal import Dispatch

/// How far a compaction has come.
public struct CompactionProgress: Hashable, Sendable {
  /// Rows read so far.
  public var rowsDone: Int
  /// Rows there are to read.
  public var rowsTotal: Int
}

/// What a compaction did.
public struct CompactionResult: Hashable, Sendable {
  /// Segments rewritten.
  public var segmentsBefore = 0
  /// Segments they became.
  public var segmentsAfter = 0
  /// Bytes of the segments rewritten.
  public var bytesBefore = 0
  /// Bytes of the segments they became.
  public var bytesAfter = 0
  /// Deleted samples whose rows are in no file any more, those included that sealing left out.
  public var samplesDropped = 0
  /// Deletions that are not remembered any more.
  public var deletionsForgotten = 0
}

extension Database {
  /// Merges adjacent segments, drops deleted samples and forgets old deletions.
  ///
  /// Sequence numbers stay, and so does every answer and every feed above the floor. Writers and
  /// readers go on meanwhile; at any moment there is free space needed for one output segment.
  ///
  /// - Parameters:
  ///   - progress: Called now and then with how far the work is.
  ///   - isCancelled: Asked now and then; true ends the work and leaves what is done.
  /// - Returns: What was done.
  /// - Throws: ``StoreError/cancelled`` when asked to stop, ``StoreError/closed`` when it is closed
  ///   meanwhile, ``StoreError/invalid(_:)`` when it is called by what a compaction calls, or what
  ///   went wrong; the store is as before but for the segments already replaced.
  @discardableResult
  public func compact(
    progress: (CompactionProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> CompactionResult {
    try checkNotCompacting()
    let before = state.withLock { $0.droppedBySealing }
    try seal()
    let sealed = state.withLock { $0.droppedBySealing } - before
    return try compaction.sync {
      compactingThread.withLock { $0 = currentThread() }
      defer { compactingThread.withLock { $0 = nil } }
      try checkOpen()
      var result = CompactionResult()
      result.samplesDropped = sealed
      let groups = compactionGroups()
      var done = CompactionProgress(
        rowsDone: 0, rowsTotal: groups.reduce(0) { $0 + $1.reduce(0) { $0 + $1.rowCount } })
      progress(done)
      for group in groups {
        try rewrite(group, into: &result) { rows in
          if isCancelled() { throw StoreError.cancelled }
          done.rowsDone += rows
          progress(done)
        }
      }
      return result
    }
  }

  /// Merges the newest segments in the background when there are enough of one size.
  ///
  /// Four segments of about the same size become one of the next, so that there are few to ask
  /// and each row is rewritten a few times at most.
  func scheduleMerging() {
    if newestTier() == nil { return }
    compaction.async { [weak self] in
      while let self, !state.withLock({ $0.isClosing }), let group = newestTier() {
        var result = CompactionResult()
        do {
          try rewrite(group, into: &result) { _ in
            if self.state.withLock({ $0.isClosing }) { throw StoreError.cancelled }
          }
          releaseMemoryWhenIdle()
        } catch StoreError.cancelled, StoreError.closed {
          return
        } catch {
          // What fails here is tried again after the next sealing; nothing depends on it.
          state.withLock { $0.backgroundFailure = "\(error)" }
          return
        }
      }
    }
  }

  /// Throws within what a compaction calls, which would wait for itself.
  func checkNotCompacting() throws {
    // Not a value of the queue: on Linux, Dispatch's threads then free what is not theirs.
    guard compactingThread.withLock({ $0 == currentThread() }) else { return }
    throw StoreError.invalid(
      "What a compaction calls can neither compact nor close the store.")
  }

  /// Merges segments so small that nobody has to wait for it long.
  ///
  /// Processes that save and close at once leave a segment each, and never come to merge them in
  /// the background.
  func mergeSmallSegments() throws {
    try compaction.sync {
      while let group = newestTier(), group.reduce(0, { $0 + $1.rowCount }) <= 1 << 18 {
        var result = CompactionResult()
        try rewrite(group, into: &result) { _ in }
      }
    }
  }

  private func newestTier() -> [Segment]? {
    let segments = state.withLock { $0.segments }
    let group = Array(segments.suffix(Self.tierWidth))
    guard group.count == Self.tierWidth,
      group.reduce(0, { $0 + $1.rowCount }) <= min(options.segmentRowCount, Segment.maximumRows)
    else { return nil }
    let tiers = group.map { tier(of: $0) }
    return tiers.allSatisfy { $0 == tiers[0] } ? group : nil
  }

  private static let tierWidth = 4

  /// 0 for what a full log seals to, and less; one more for each fourfold size.
  private func tier(of segment: Segment) -> Int {
    var tier = 0
    var size = options.sealRowCount * 2
    while segment.rowCount > size {
      tier += 1
      size *= Self.tierWidth
    }
    return tier
  }

  private func rewrite(
    _ group: [Segment], into result: inout CompactionResult, _ step: (Int) throws -> Void
  ) throws {
    // Only what is durably deleted may be left out.
    let (snapshot, settings) = state.withLock { ($0.snapshot, $0.settings.all) }
    try submitFlush()
    defer { forgetting.withLock { $0 = 0 } }
    let start = ContinuousClock.now
    var compactor = Compactor(self, group, snapshot, settings)
    let new = try compactor.run(step)
    result.segmentsBefore += group.count
    result.segmentsAfter += 1
    let bytesBefore = group.reduce(0) { $0 + $1.fileSize }
    result.bytesBefore += bytesBefore
    result.bytesAfter += new.fileSize
    result.samplesDropped += compactor.dropped.count
    result.deletionsForgotten += compactor.forgotten
    state.withLock {
      $0.replace(
        group, by: new, dropped: compactor.dropped, forgotten: compactor.forgottenErasures)
    }
    activity.withLock { $0.merges.add(since: start) }
    report(
      .compacted(
        segmentCount: group.count, bytesBefore: bytesBefore, bytesAfter: new.fileSize,
        seconds: Self.seconds(since: start)))
    checkSpace()
    // Marked first: a reader of an older snapshot must not bring them back.
    caches.release(group)
    // Readers that still have the old files open can go on; the names are gone.
    remove(group.map(\.name))
  }

  /// Runs of adjacent segments that together make one of the greatest size, and single ones that
  /// have something to drop.
  private func compactionGroups() -> [[Segment]] {
    let (segments, dead, settings) = state.withLock { ($0.segments, $0.dead, $0.settings) }
    var groups: [[Segment]] = []
    var run: [Segment] = []
    var rows = 0
    func isWorthwhile(_ run: [Segment]) -> Bool {
      run.count > 1
        || run.contains {
          $0.deletionCount > 0 || dead.mayIntersect($0.header.first, $0.header.last)
            || $0.settings.contains(where: settings.isErased)
        }
    }
    for segment in segments {
      let limit = min(options.segmentRowCount, Segment.maximumRows)
      if !run.isEmpty, rows + segment.rowCount > limit {
        groups.append(run)
        run = []
        rows = 0
      }
      run.append(segment)
      rows += segment.rowCount
    }
    groups.append(run)
    return groups.filter { !$0.isEmpty && isWorthwhile($0) }
  }
}
