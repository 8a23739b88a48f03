/// A notification of commits that became visible together.
public struct CommitNotice: Sendable {
  /// The newest sequence number before these commits.
  public let before: UInt64
  /// The newest sequence number of these commits.
  public let end: UInt64
  package let series: Set<SeriesKey>
  /// The number of the symbol table that the series belong to.
  let table: UInt32
  /// The reason for which the observation ended, or nil if the database was closed.
  var failure: (any Error)?

  fileprivate static func end(_ failure: (any Error)? = nil) -> CommitNotice {
    CommitNotice(before: 0, end: 0, series: [], table: 0, failure: failure)
  }

  /// The observed series that the commits touched.
  ///
  /// Empty if the observation has ended, because the database was closed or can no longer be read.
  public var touchedSeries: Set<Series> { Set(series.map { Series($0, of: table) }) }
}

/// The registry of commit observers, by the series that they observe.
///
/// A commit looks up observers by series, so observers of other series cost it nothing.
final class CommitNotifier: Sendable {
  typealias Notify = @Sendable (CommitNotice) -> Void

  private struct State {
    var last = 0
    var observers: [SeriesKey: [Int: Notify]] = [:]
    /// The observers of every series.
    var general: [Int: Notify] = [:]
    var isClosed = false

    var isObserved: Bool { !general.isEmpty || !observers.isEmpty }
  }

  private let state = Locked(State())
  private let table: UInt32

  init(_ symbols: SymbolTable) { table = symbols.number }

  /// The number of observers, each counted once per series.
  package var count: Int {
    state.withLock { $0.general.count + $0.observers.reduce(0) { $0 + $1.value.count } }
  }

  /// Returns the observed series of a subject.
  func series(ofSubject subject: Symbol) -> [SeriesKey] {
    state.withLock { $0.observers.keys.filter { $0.subject == subject } }
  }

  var isObserved: Bool { state.withLock { $0.isObserved } }

  /// Adds an observer of some series, or of all series if `series` is nil.
  ///
  /// - Returns: The observer's number, and whether it is the only one.
  func add(
    _ series: Set<SeriesKey>?, _ notify: @escaping Notify
  ) -> (number: Int, isFirst: Bool) {
    let added = state.withLock { state -> (number: Int, isFirst: Bool, isClosed: Bool) in
      state.last += 1
      if state.isClosed { return (state.last, false, true) }
      let isFirst = !state.isObserved
      if let series {
        for key in series { state.observers[key, default: [:]][state.last] = notify }
      } else {
        state.general[state.last] = notify
      }
      return (state.last, isFirst, false)
    }
    if added.isClosed { notify(.end()) }
    return (added.number, added.isFirst)
  }

  /// Removes an observer.
  ///
  /// Pass the series that it was added with.
  func remove(_ number: Int, _ series: Set<SeriesKey>?) {
    // The closure is released outside the lock, because releasing what it captures may take the
    // lock.
    let removed = state.withLock { state -> Notify? in
      guard let series else { return state.general.removeValue(forKey: number) }
      var removed: Notify?
      for key in series {
        removed = state.observers[key]?.removeValue(forKey: number)
        if state.observers[key]?.isEmpty == true { state.observers[key] = nil }
      }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Notifies the observers of the touched series, in the order in which they were added.
  func notify(before: UInt64, end: UInt64, touched: some Collection<SeriesKey>) {
    if touched.isEmpty { return }
    let found = state.withLock { state in
      var found: [Int: (notify: Notify, series: Set<SeriesKey>)] = [:]
      if !state.isObserved { return found }
      if !state.general.isEmpty {
        let all = Set(touched)
        for (number, notify) in state.general { found[number] = (notify, all) }
      }
      for key in touched {
        guard let observers = state.observers[key] else { continue }
        for (number, notify) in observers {
          found[number, default: (notify, [])].series.insert(key)
        }
      }
      return found
    }
    for (_, observer) in found.sorted(by: { $0.key < $1.key }) {
      observer.notify(CommitNotice(before: before, end: end, series: observer.series, table: table))
    }
  }

  /// Removes all observers and rejects new ones.
  ///
  /// Notifies the removed observers if `notifying` is true.
  func close(notifying: Bool) {
    let removed = removeAll { $0.isClosed = true }
    guard notifying else { return }
    for notify in removed { notify(.end()) }
  }

  /// Removes all observers and notifies them of the error.
  func end(_ failure: any Error) {
    for notify in removeAll({ _ in }) { notify(.end(failure)) }
  }

  private func removeAll(_ body: (inout State) -> Void) -> [Notify] {
    state.withLock { state in
      defer {
        state.observers = [:]
        state.general = [:]
        body(&state)
      }
      let all = state.observers.values.reduce(into: state.general) { all, some in
        all.merge(some) { first, _ in first }
      }
      return Array(all.values)
    }
  }
}

/// An observation of commits, active until it is cancelled or released.
public final class CommitObservation: Sendable {
  private let notifier: CommitNotifier
  private let series: Set<SeriesKey>?
  private let number: Int
  /// Whether no other observation was active when this one began.
  fileprivate let isFirst: Bool

  fileprivate init(
    _ notifier: CommitNotifier, _ series: Set<SeriesKey>?,
    _ notify: @escaping CommitNotifier.Notify
  ) {
    self.notifier = notifier
    self.series = series
    (number, isFirst) = notifier.add(series, notify)
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// A notification that is already in progress may still be delivered.
  ///
  /// - Complexity: O(1) for each observed series.
  public func cancel() { notifier.remove(number, series) }
}

extension Database {
  /// The number of observations, each counted once per series.
  package var observationCount: Int { notifier.count }

  /// Whether at least one observation is active.
  package var isObserved: Bool { notifier.isObserved }

  /// Ends all observations.
  ///
  /// The next read of their feeds throws the error.
  package func endObservations(_ failure: any Error) { notifier.end(failure) }

  /// Observes commits to some series.
  ///
  /// Notifications are not queued; the log itself records the changes.
  ///
  /// - Parameters:
  ///   - series: The series to observe.
  ///   - notify: Called on the committing thread after the commit became visible and before it is
  ///     acknowledged, and once when the database is closed. In a read-only handle, called by
  ///     ``refresh()``. It must return promptly.
  /// - Returns: The observation, which ends when it is released.
  /// - Throws: ``StoreError/invalid(_:)`` for another database's series.
  /// - Complexity: O(1) for each series. A commit costs O(1) for each series that it touches and
  ///   for each of their observers.
  public func observe(
    _ series: Set<Series>, _ notify: @escaping @Sendable (CommitNotice) -> Void
  ) throws -> CommitObservation {
    observe(Set(try symbols.keys(of: Array(series))), notify)
  }

  /// Observes commits to all series.
  public func observe(
    _ notify: @escaping @Sendable (CommitNotice) -> Void
  ) -> CommitObservation {
    observe(nil, notify)
  }

  package func observe(
    _ series: Set<SeriesKey>?, _ notify: @escaping @Sendable (CommitNotice) -> Void
  ) -> CommitObservation {
    let observation = CommitObservation(notifier, series, notify)
    if observation.isFirst {
      for delegate in delegates.all { delegate.databaseIsObserved(self) }
    }
    return observation
  }
}
