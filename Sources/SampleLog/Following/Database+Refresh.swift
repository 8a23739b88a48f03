internal import Dispatch

extension Database {
  /// Looks for what a writer in another process has made durable since, and shows it.
  ///
  /// For handles opened with ``OpenMode/readOnly``; one that writes knows everything already.
  /// Snapshots taken before stay as they are. Observers are notified, where files were replaced
  /// of more series than were touched. A commit is shown once it is durable, at the latest when
  /// its writer hears of that.
  ///
  /// - Returns: Whether ``end`` has moved.
  /// - Throws: ``StoreError/closed``; ``StoreError/anchorFromTheFuture(anchor:end:)`` when the
  ///   directory was replaced by an older copy of the store,
  ///   ``StoreError/anchorOfAnotherStore`` when by another store; and what opening throws.
  /// - Complexity: A few system calls when nothing has changed. Linear in what is new in the newest
  ///   log; when files were added or replaced, in all that is not sealed.
  @discardableResult
  public func refresh() throws -> Bool {
    guard mode == .readOnly else { return false }
    if state.withLock({ $0.isClosed }) { throw StoreError.closed }
    return try follower.withLock { follower in
      guard var known = follower else { return false }
      if try known.names == dataNames(), try known.isInPlace(path),
        let news = try known.read(symbols), !news.isErasure,
        // A log that has got a successor meanwhile may end before what was read.
        try known.names == dataNames()
      {
        follower = known
        return show(news)
      }
      return try reload(&follower)
    }
  }

  /// Waits until ``refresh()`` has shown something new; blocks the calling thread.
  ///
  /// The kernel tells of writes where it can; besides, it is looked four times a second, and
  /// twenty times where the kernel tells nothing.
  ///
  /// - Parameter duration: The longest to wait.
  /// - Returns: Whether ``end`` has moved.
  /// - Throws: What ``refresh()`` throws.
  public func waitForChange(atMost duration: Duration) throws -> Bool {
    guard mode == .readOnly else { return false }
    let deadline = DispatchTime.now() + duration.seconds
    // Made before the first look, so that nothing falls between.
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

  /// Makes commits visible that are in the log already, with the samples that they erased.
  @discardableResult
  func show(_ news: Follower.News, erased: [UInt64] = []) -> Bool {
    guard !news.commits.isEmpty else { return false }
    let (memTable, before) = state.withLock { ($0.active, $0.snapshot.end) }
    var touched: [SeriesKey] = []
    for commit in news.commits {
      touched += memTable.append(commit.payload, first: commit.first, time: commit.time)
      touched += seriesTouched(bySettings: commit.payload)
    }
    let deleted = news.commits.flatMap(\.payload.deletions.target) + erased
    state.withLock { state in
      for commit in news.commits { state.note(commit.payload, first: commit.first) }
      state.publish(end: news.end, deleted: deleted)
    }
    notifier.notify(before: before, end: news.end, touched: touched)
    return true
  }

  /// Reads the directory again; segments that are still there stay open.
  private func reload(_ follower: inout Follower?) throws -> Bool {
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
      state = DatabaseState(recovered, symbols: symbols, caches: caches)
      state.isClosed = isClosed
    }
    follower = Follower(recovered)
    // Only older snapshots read these; nothing else may keep their files open.
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
  /// The series that may have rows after a sequence number.
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
