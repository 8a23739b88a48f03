/// Reads the changes to some series in order, and says when there are more.
///
/// ```swift
/// let feed = try ChangeFeed(database, after: .beginning, of: SeriesSelection([heartRate])) {
///   wake.signal()
/// }
/// while let page = try feed.next(limit: 1000) {
///   values += page.changes.map(\.row.value)
/// }
/// ```
///
/// Read pages until there is none, then wait to be notified, which happens once for any number of
/// commits. Nothing is queued for a feed: pages are read from the log, so a slow reader takes no
/// memory and none is lost. What the pages promise says ``Snapshot/changes(after:of:limit:)``.
///
/// Commits to other series neither notify a feed nor make it expire.
public final class ChangeFeed: Sendable {
  /// Where a feed is between notifications and reads.
  private enum Phase {
    /// Everything was read; the next commit to its series notifies.
    case idle
    /// There may be something to read.
    case ready
    /// A page is being read; whether a commit came meanwhile.
    case reading(isReady: Bool)
    /// The database was closed, or cannot be read on.
    case ended
  }

  private struct State {
    var anchor: Anchor
    var phase = Phase.ready
    /// Why it has ended.
    var failure: (any Error)?
    var observation: CommitObservation?
  }

  private let database: Database
  private let selection: SeriesSelection
  private let notify: @Sendable () -> Void
  private let state: Locked<State>

  /// Creates a feed that can be read at once.
  ///
  /// - Parameters:
  ///   - database: What to read.
  ///   - anchor: Where to begin; nil for the end, so that only what is committed from now on is
  ///     read.
  ///   - selection: The series to read, and what the rows of each must satisfy.
  ///   - notify: Called when there is something to read after ``next(limit:)`` returned nil, and
  ///     when the database was closed or could not be refreshed, which reading then throws. It is
  ///     called on the committing thread and must return at once.
  /// - Throws: ``StoreError/anchorExpired(anchor:floor:)``,
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)``, ``StoreError/anchorOfAnotherStore``, and
  ///   ``StoreError/invalid(_:)`` for another database's series.
  public init(
    _ database: Database, after anchor: Anchor?, of selection: SeriesSelection = SeriesSelection(),
    notify: @escaping @Sendable () -> Void = {}
  ) throws {
    self.database = database
    self.selection = selection
    self.notify = notify
    try selection.check(database.symbols)
    let begin = try anchor.map { try database.snapshot().check($0) }
    state = Locked(State(anchor: begin ?? .beginning))
    let observation = database.observe(selection.series.map(Set.init)) { [weak self] notice in
      self?.take(notice)
    }
    // Taken after observing has begun, so that nothing falls between.
    let end = database.anchor
    state.withLock { state in
      state.observation = observation
      if begin == nil { state.anchor = end }
    }
  }

  /// Where the next page begins.
  public var anchor: Anchor { state.withLock { $0.anchor } }

  /// Whether ``next(limit:)`` would read rather than return nil.
  public var isReady: Bool {
    state.withLock { state in
      switch state.phase {
      case .ready, .ended: true
      case .idle, .reading: false
      }
    }
  }

  /// Reads the next page.
  ///
  /// Call it from one thread at a time; a call during another one returns nil.
  ///
  /// - Parameter limit: The greatest number of changes to return; nil for all.
  /// - Returns: The changes, which may be none of those that satisfy the filters; nil when nothing
  ///   was committed to the series since the last page.
  /// - Throws: ``StoreError/closed``, and what ``Snapshot/changes(after:of:limit:)`` throws; the
  ///   feed stays where it was.
  public func next(limit: Int? = nil) throws -> ChangePage? {
    try next(limit: limit) { _, _ in selection }
  }

  /// Reads the next page of what a function selects among the feed's series, given the snapshot
  /// that the page is read from and the anchor that it begins after.
  ///
  /// - Throws: What ``next(limit:)`` and the function throw; the feed stays where it was.
  package func next(
    limit: Int? = nil, selecting: (Snapshot, Anchor) throws -> SeriesSelection
  ) throws -> ChangePage? {
    try read { snapshot, anchor in
      let page = try snapshot.changes(
        after: anchor, of: try selecting(snapshot, anchor), limit: limit)
      return (page, page.anchor, page.hasMore)
    }
  }

  /// Reads which series have changed, and passes over the changes.
  ///
  /// - Returns: The series with a change that satisfies their filter; nil when nothing was
  ///   committed to the series since the last read.
  /// - Throws: What ``next(limit:)`` throws.
  /// - Complexity: For each series linear in the rows before the first that satisfies its filter;
  ///   in a feed of all series linear in all rows.
  public func nextChangedSeries() throws -> Set<Series>? {
    try nextChangedSeries { _, _ in selection }.map { keys in
      Set(keys.map { database.symbols.series(of: $0) })
    }
  }

  /// Reads which of the series that a function selects have changed, as ``next(limit:selecting:)``
  /// reads the changes.
  package func nextChangedSeries(
    selecting: (Snapshot, Anchor) throws -> SeriesSelection
  ) throws -> Set<SeriesKey>? {
    try read { snapshot, anchor in
      let selection = try selecting(snapshot, anchor)
      var changed: Set<SeriesKey> = []
      let end = database.anchor(at: snapshot.end)
      guard let series = selection.series else {
        let page = try snapshot.changes(after: anchor, of: selection)
        return (page.changes.rows.keys, end, false)
      }
      for key in series {
        let part = SeriesSelection([key: selection.filter(for: key)])
        if try !snapshot.changes(after: anchor, of: part, limit: 1).changes.isEmpty {
          changed.insert(key)
        }
      }
      return (changed, end, false)
    }
  }

  /// Ends the wish to be notified; reading goes on from where it is.
  public func cancel() {
    let observation = state.withLock { state in
      defer { state.observation = nil }
      return state.observation
    }
    observation?.cancel()
  }

  private func read<Result>(
    _ body: (Snapshot, Anchor) throws -> (Result, Anchor, hasMore: Bool)
  ) throws -> Result? {
    let begin = try state.withLock { state -> Anchor? in
      switch state.phase {
      case .idle, .reading: return nil
      case .ended: throw state.failure ?? StoreError.closed
      case .ready:
        state.phase = .reading(isReady: false)
        return state.anchor
      }
    }
    guard let begin else { return nil }
    var (anchor, isMore) = (begin, true)
    defer {
      state.withLock { state in
        guard case .reading(let isReady) = state.phase else { return }
        state.anchor = anchor
        state.phase = isReady || isMore ? .ready : .idle
      }
    }
    let result: Result
    (result, anchor, isMore) = try body(database.snapshot(), begin)
    return result
  }

  private func take(_ notice: CommitNotice) {
    let mustNotify = state.withLock { state in
      if notice.series.isEmpty {
        if case .ended = state.phase { return false }
        state.phase = .ended
        state.failure = notice.failure
        return true
      }
      switch state.phase {
      case .ready, .ended: return false
      case .reading:
        state.phase = .reading(isReady: true)
        return false
      case .idle:
        // What was committed in between is none of the feed's, so the anchor is behind it: a quiet
        // series' feed is not overtaken by the forgetting of old deletions.
        if notice.before > state.anchor.sequence {
          state.anchor = database.anchor(at: notice.before)
        }
        state.phase = .ready
        return true
      }
    }
    if mustNotify { notify() }
  }
}
