internal import Dispatch

/// The progress of a compaction.
public struct CompactionProgress: Hashable, Sendable {
  /// The number of rows read so far.
  public var rowsDone: Int
  /// The total number of rows to read.
  public var rowsTotal: Int
}

/// The result of a compaction.
public struct CompactionResult: Hashable, Sendable {
  /// The number of segments rewritten.
  public var segmentsBefore = 0
  /// The number of segments that replaced them.
  public var segmentsAfter = 0
  /// The total length of the rewritten segments, in bytes.
  public var bytesBefore = 0
  /// The total length of the segments that replaced them, in bytes.
  public var bytesAfter = 0
  /// The number of deleted samples removed from all files, including those that sealing omitted.
  public var samplesDropped = 0
  /// The number of deletions discarded.
  public var deletionsForgotten = 0
}

extension Database {
  /// Merges adjacent segments, removes deleted samples and discards old deletions.
  ///
  /// Preserves sequence numbers, query results and every feed above the floor. Runs concurrently
  /// with readers and writers, and needs free space for one output segment at a time.
  ///
  /// - Parameters:
  ///   - progress: Called periodically with the progress.
  ///   - isCancelled: Called periodically; if it returns true, compaction stops and keeps the
  ///     segments that it has replaced.
  /// - Returns: The result.
  /// - Throws: ``StoreError/cancelled`` if it was cancelled, ``StoreError/closed`` if the store was
  ///   closed concurrently, ``StoreError/invalid(_:)`` if it is called from a compaction's
  ///   closures, or the error that occurred. Apart from segments already replaced, the store is
  ///   unchanged.
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

  /// Merges the newest segments in the background if there are enough of one size tier.
  ///
  /// Four segments of one tier become one of the next, so that queries visit few segments and each
  /// row is rewritten only a few times.
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
          // A failed merge is retried after the next sealing; nothing depends on it.
          state.withLock { $0.backgroundFailure = "\(error)" }
          return
        }
      }
    }
  }

  /// Throws if called from a closure of a compaction, which would deadlock.
  func checkNotCompacting() throws {
    // Does not use a queue-specific value, with which Dispatch's threads on Linux free memory that
    // they do not own.
    guard compactingThread.withLock({ $0 == currentThread() }) else { return }
    throw StoreError.invalid(
      "A function that a compaction calls can neither compact nor close the store.")
  }

  /// Merges the newest segments of one size tier while they have at most 2¹⁸ rows in total, so that
  /// the caller waits only briefly.
  ///
  /// Processes that save and close immediately leave one segment each, and never run long enough to
  /// merge them in the background.
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

  /// Returns the size tier of a segment: 0 up to twice a full log, and one more per factor of four.
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
    // Only samples whose deletion is durable may be omitted.
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
    // Evict before removing: a reader of an older snapshot must not cache the segments again.
    caches.release(group)
    // Readers that have the old files open can continue to read them.
    remove(group.map(\.name))
  }

  /// Returns the groups to rewrite: adjacent segments that fit into one of the maximum size, and
  /// single segments with removable rows.
  private func compactionGroups() -> [[Segment]] {
    let (segments, deleted, settings) = state.withLock { ($0.segments, $0.deleted, $0.settings) }
    var groups: [[Segment]] = []
    var run: [Segment] = []
    var rows = 0
    func isWorthwhile(_ run: [Segment]) -> Bool {
      run.count > 1
        || run.contains {
          $0.deletionCount > 0 || deleted.mayIntersect($0.header.first, $0.header.last)
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
