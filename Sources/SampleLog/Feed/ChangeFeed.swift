/// A reader of the changes of some series, in commit order, that is notified of new commits.
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
/// Read pages until ``next(limit:)`` returns nil, then wait for the notification, which is sent
/// once for any number of commits. The feed queues nothing: pages are read from the store, so a
/// slow reader costs no memory and misses no change. ``Snapshot/changes(after:of:limit:)``
/// documents the contents of a page.
///
/// Commits to other series neither notify a feed nor make it expire.
public final class ChangeFeed: Sendable {
  /// The state of a feed between notifications and reads.
  private enum Phase {
    /// Every change was read; the next commit to the feed's series sends a notification.
    case idle
    /// There may be changes to read.
    case ready
    /// A page is being read; `isReady` records whether a commit arrived since the read began.
    case reading(isReady: Bool)
    /// The database was closed or can no longer be read.
    case ended
  }

  private struct State {
    var anchor: Anchor
    var phase = Phase.ready
    /// The error that ended the feed.
    ///
    /// Nil while the feed is active and after the database was closed.
    var failure: (any Error)?
    var observation: CommitObservation?
  }

  private let database: Database
  private let selection: SeriesSelection
  private let notify: @Sendable () -> Void
  private let state: Locked<State>

  /// Creates a feed that is ready to be read.
  ///
  /// - Parameters:
  ///   - database: The database to read.
  ///   - anchor: The anchor to start after, or nil to read only changes that are committed from now
  ///     on.
  ///   - selection: The series to read, and the filter of each.
  ///   - notify: Called when there are changes to read after ``next(limit:)`` returned nil, and
  ///     when the database was closed or could not be refreshed; the next read then throws the
  ///     error. Called on the committing thread; it must return promptly.
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
    // Read after the observation began, so that no commit is missed.
    let end = database.anchor
    state.withLock { state in
      state.observation = observation
      if begin == nil { state.anchor = end }
    }
  }

  /// The anchor after which the next page starts.
  public var anchor: Anchor { state.withLock { $0.anchor } }

  /// Whether ``next(limit:)`` would read a page or throw, rather than return nil.
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
  /// Call this method from one thread at a time; a concurrent call returns nil.
  ///
  /// - Parameter limit: The maximum number of changes to return, or nil for no limit.
  /// - Returns: The changes, which may be empty if no new change satisfies the filters; nil if
  ///   there are no new commits to the series since the last page.
  /// - Throws: ``StoreError/closed``, and the errors of ``Snapshot/changes(after:of:limit:)``. The
  ///   feed's position does not change.
  public func next(limit: Int? = nil) throws -> ChangePage? {
    try next(limit: limit) { _, _ in selection }
  }

  /// Reads the next page of the series and filters that a closure selects from the feed's series.
  ///
  /// The closure receives the snapshot of the page and the anchor that it starts after.
  ///
  /// - Throws: The errors of ``next(limit:)`` and of the closure. The feed's position does not
  ///   change.
  package func next(
    limit: Int? = nil, selecting: (Snapshot, Anchor) throws -> SeriesSelection
  ) throws -> ChangePage? {
    try read { snapshot, anchor in
      let page = try snapshot.changes(
        after: anchor, of: try selecting(snapshot, anchor), limit: limit)
      return (page, page.anchor, page.hasMore)
    }
  }

  /// Returns the series with new changes and skips past these changes.
  ///
  /// - Returns: The series with a change that satisfies their filter; nil if there are no new
  ///   commits to the series since the last read.
  /// - Throws: The errors of ``next(limit:)``.
  /// - Complexity: For each series, linear in the rows before the first that satisfies its filter.
  ///   For a feed of all series, linear in all new rows.
  public func nextChangedSeries() throws -> Set<Series>? {
    try nextChangedSeries { _, _ in selection }.map { keys in
      Set(keys.map { database.symbols.series(of: $0) })
    }
  }

  /// Returns those of the series that a closure selects which have changed.
  ///
  /// The closure is called as in ``next(limit:selecting:)``.
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

  /// Stops notifications.
  ///
  /// The feed can still be read from its current position.
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
        // The commits in between touched none of the feed's series, so the anchor moves past them.
        // Otherwise the anchor of a rarely written series would expire when old deletions are
        // forgotten.
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
