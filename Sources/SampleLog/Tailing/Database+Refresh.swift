internal import Dispatch

extension Database {
  /// Makes visible the commits that a writer in another process has made durable.
  ///
  /// For handles opened with ``OpenMode/readOnly``; a writing handle is always current. Existing
  /// snapshots do not change. Observers are notified; if files were replaced, also of series that
  /// did not change. A commit becomes visible once it is durable, at the latest when its writer
  /// receives the acknowledgement.
  ///
  /// - Returns: Whether ``end`` has advanced.
  /// - Throws: ``StoreError/closed``, ``StoreError/anchorFromTheFuture(anchor:end:)`` if the
  ///   directory was replaced by an older copy of the store,
  ///   ``StoreError/anchorOfAnotherStore`` if it was replaced by another store, and the errors of
  ///   opening.
  /// - Complexity: A few system calls if nothing has changed. Linear in the new part of the newest
  ///   log or, if files were added or replaced, in all unsealed data.
  @discardableResult
  public func refresh() throws -> Bool {
    guard mode == .readOnly else { return false }
    if state.withLock({ $0.isClosed }) { throw StoreError.closed }
    return try tailingReader.withLock { tailingReader in
      guard var known = tailingReader else { return false }
      if try known.names == dataNames(), try known.isInPlace(path),
        let delta = try known.read(symbols), !delta.isErasure,
        // A log that has a successor now may end before the data that was read.
        try known.names == dataNames()
      {
        tailingReader = known
        return show(delta)
      }
      return try reload(&tailingReader)
    }
  }

  /// Blocks the calling thread until ``refresh()`` finds new commits.
  ///
  /// Uses kernel notifications if available and also polls four times per second; otherwise polls
  /// twenty times per second.
  ///
  /// - Parameter duration: The maximum time to wait.
  /// - Returns: Whether ``end`` has advanced.
  /// - Throws: The errors of ``refresh()``.
  public func waitForChange(atMost duration: Duration) throws -> Bool {
    guard mode == .readOnly else { return false }
    let deadline = DispatchTime.now() + duration.seconds
    // Created before the first check, so that no change is missed.
    let watch = fileSystem.watch(path)
    while true {
      if try refresh() { return true }
      let now = DispatchTime.now()
      guard now < deadline else { return false }
      let left = Double(deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1e9
      watch.wait(atMost: min(.seconds(left), .milliseconds(250)))
    }
  }

  private func dataNames() throws -> Set<String> {
    Set((try fileSystem.list(path) ?? []).filter(FileNames.isData))
  }

  /// Makes visible commits that are already in the log, and the deletion of samples they erased.
  @discardableResult
  func show(_ delta: TailingReader.Delta, erased: [UInt64] = []) -> Bool {
    guard !delta.commits.isEmpty else { return false }
    let (memTable, before) = state.withLock { ($0.active, $0.snapshot.end) }
    var touched: [SeriesKey] = []
    for commit in delta.commits {
      touched += memTable.append(commit.payload, first: commit.first, time: commit.time)
      touched += seriesTouched(bySettings: commit.payload)
    }
    let deleted = delta.commits.flatMap(\.payload.deletions.target) + erased
    state.withLock { state in
      for commit in delta.commits { state.note(commit.payload, first: commit.first) }
      state.publish(end: delta.end, deleted: deleted)
    }
    notifier.notify(before: before, end: delta.end, touched: touched)
    return true
  }

  /// Recovers the directory again; segments that still exist stay open.
  private func reload(_ tailingReader: inout TailingReader?) throws -> Bool {
    let (before, segments) = state.withLock { ($0.snapshot, $0.segments) }
    var recovery = Recovery(
      path: path, mode: mode, options: options, fileSystem: fileSystem, symbols: symbols,
      known: Dictionary(segments.map { ($0.name, $0) }) { first, _ in first },
      indexMemory: caches.indexes, events: caches.events)
    let recovered = try recovery.runSteadily()
    guard recovered.storeID == storeID, recovered.epoch == epoch else {
      throw StoreError.anchorOfAnotherStore
    }
    guard recovered.end >= before.end else {
      throw StoreError.anchorFromTheFuture(anchor: before.end, end: recovered.end)
    }
    state.withLock { state in
      let isClosed = state.isClosed
      state = DatabaseState(
        recovered, symbols: symbols, caches: caches, replacing: state.published)
      state.isClosed = isClosed
    }
    tailingReader = TailingReader(recovered)
    // Only older snapshots read these segments; caches must not keep their files open.
    let kept = Set(recovered.segments.map(\.name))
    caches.release(segments.filter { !kept.contains($0.name) })
    guard recovered.end > before.end else { return false }
    let settings = recovered.settings.all.filter { $0.sequence > before.end }.map(\.key)
    notifier.notify(
      before: before.end, end: recovered.end,
      touched: recovered.series(after: before.end).union(seriesTouched(bySettings: settings)))
    return true
  }
}

extension Recovered {
  /// Returns the series that may have rows after a sequence number.
  fileprivate func series(after sequence: UInt64) -> Set<SeriesKey> {
    var keys: Set<SeriesKey> = []
    for segment in segments where segment.header.last > sequence {
      keys.formUnion(segment.series.keys.lazy.map(\.series))
    }
    for memTable in memTables {
      for kind in [RowKind.sample, .deletion] { keys.formUnion(memTable.series(kind).map(\.key)) }
    }
    return keys
  }
}
