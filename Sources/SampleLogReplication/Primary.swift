internal import Dispatch
public import SampleLog

/// The durability at which a commit to a replicated store is acknowledged.
public enum Acknowledgement: Hashable, Sendable {
  /// The commit is durable on the primary's disk.
  ///
  /// A commit that is not yet published is lost if that disk is lost or another copy is promoted.
  case local
  /// The commit is also in the stream, which has accepted nothing of a newer epoch before it.
  case replicated
  /// The commit is also durable on this number of replicas.
  ///
  /// Such a commit survives even if the stream loses accepted messages. A count of 0 or less is
  /// equivalent to ``replicated``.
  case copies(Int)

  /// The number of replicas that must have the commit; nil if the stream need not have it either.
  fileprivate var copyCount: Int? {
    switch self {
    case .local: nil
    case .replicated: 0
    case .copies(let count): max(count, 0)
    }
  }
}

/// A store open for writing, whose commits are published to replicas through a stream.
public final class Primary: Sendable {
  private struct State {
    var isScheduled = false
    var isChecking = false
    var failure: (any Error)?
    var isClosed = false
    var isHandingOver = false
    var tracker = PublishingTracker()
    var retention = RetentionWatch()
  }

  /// A delegate that forwards syncs to the primary, which retains the database that retains the
  /// delegate.
  private final class Syncs: DatabaseDelegate {
    private weak let primary: Primary?

    init(_ primary: Primary) { self.primary = primary }

    func databaseDidSync(through sequence: UInt64) { primary?.isDurable(sequence) }
  }

  /// The time after which a primary's lease expires unless it is renewed, in seconds.
  ///
  /// A process that promotes a replica waits until the lease has expired.
  public static let leaseSeconds = 2.0

  /// The store.
  public let database: Database
  nonisolated(unsafe) let publisher: Publisher
  /// The serial queue on which the publisher is used.
  private let queue = DispatchQueue(label: "samplelog.publish", qos: .userInitiated)
  private let state = Locked(State())
  private let clock: @Sendable () -> Double
  private let copies: CopyCounter
  private let transport: any StreamTransport
  private let services: ServiceOutages
  private let copySource: CopySource

  /// The number of checks for which a request for a copy is left to the replicas, four seconds if
  /// there are two checks a second.
  private static let copyPatience = 8

  /// Opens a store for writing, and publishes the commits that its stream lacks.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - transport: The stream of the store, which is empty or has the messages of this store.
  ///   - options: The options for opening the store.
  ///   - fileSystem: The file system of the directory.
  /// - Throws: The errors of opening a store; `StoreError.replica` if the directory is a replica's.
  public init(
    path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    var options = options
    options.keepsSealedLogs = true
    clock = options.clock
    database = try Database(path: path, options: options, fileSystem: fileSystem)
    publisher = Publisher(database, transport)
    self.transport = transport
    services = ServiceOutages(database)
    copies = CopyCounter(database, transport, services)
    copySource = CopySource(database, transport, patience: Self.copyPatience)
    database.add(Syncs(self))
    isDurable(database.durableEnd)
  }

  /// Commits a batch atomically, and waits until the commit is acknowledged.
  ///
  /// - Parameters:
  ///   - batch: The rows to add and delete.
  ///   - acknowledgement: The durability to wait for.
  ///   - attempts: The maximum number of requests to the stream before giving up, and then of reads
  ///     of the replicas' reports.
  /// - Returns: The result of the commit.
  /// - Throws: The errors of `Database.commit(_:durability:)`, after which nothing of the batch is
  ///   in the store; the other errors of ``confirm(through:_:attempts:)``, such as
  ///   ``ReplicationError/notReplicated(through:)`` and
  ///   ``ReplicationError/notCopied(through:copies:wanted:)``, after which the commit is in this
  ///   store and may still reach others; and `StoreError.fenced`, after which the commit may be in
  ///   this store, but is not in the history that continues.
  @discardableResult
  public func commit(
    _ batch: Batch, acknowledgement: Acknowledgement = .local, attempts: Int = 1000
  ) throws -> CommitResult {
    let result = try database.commit(batch)
    if let last = result.sequences?.upperBound {
      try confirm(through: last, acknowledgement, attempts: attempts)
    }
    return result
  }

  /// Waits until commits are acknowledged.
  ///
  /// Other commits and publishing continue while this method waits for replicas.
  ///
  /// - Parameters:
  ///   - last: The last sequence number of the last commit.
  ///   - acknowledgement: The durability to wait for; ``Acknowledgement/local`` returns
  ///     immediately.
  ///   - attempts: The maximum number of requests to the stream before giving up, and then of reads
  ///     of the replicas' reports, which are 16 ms apart after the first few.
  /// - Throws: ``ReplicationError/notReplicated(through:)``, ``ReplicationError/gap(_:)``,
  ///   ``ReplicationError/notCopied(through:copies:wanted:)``, `StoreError.fenced`,
  ///   `StoreError.diverged` if a replica has commits of this epoch that the store has lost, and
  ///   the errors of writing buffered commits.
  public func confirm(
    through last: UInt64, _ acknowledgement: Acknowledgement, attempts: Int = 1000
  ) throws {
    guard let count = acknowledgement.copyCount else { return }
    // A flush would wait for a handover, which the stream may already have acknowledged.
    if database.durableEnd < last { try database.flush() }
    try queue.sync {
      var attempts = attempts
      while publisher.publishedThrough < last {
        guard attempts > 0 else { throw ReplicationError.notReplicated(through: last) }
        switch try step() {
        case .unresolved, .idle: attempts -= 1
        case .accepted, .located: break
        case .blocked: throw gapError()
        }
      }
      // Another copy may have been promoted after the stream's last answer.
      if let epoch = database.fencedBy { throw StoreError.fenced(epoch: epoch) }
    }
    if count == 0 { return }
    try copies.wait(for: count, through: last, attempts: attempts, orElse: check)
  }

  /// Checks that the stream still ends with this primary's last message, and publishes lost ones.
  ///
  /// Without commits, a primary detects only by this check that another copy was promoted;
  /// ``failure`` is then set shortly afterwards. Checks without an answer are reported as an event.
  /// The check runs in the background. It also answers a replica's request for a handover, and that
  /// of a new replica for a copy if no replica answers it. Calls during a check have no effect,
  /// because an unreachable stream may take a while to fail.
  public func check() {
    let isNew = state.withLock { state in
      defer { state.isChecking = true }
      return !state.isChecking
    }
    guard isNew else { return }
    queue.async { [weak self] in
      guard let self else { return }
      publisher.check()
      // An unreachable stream has no requests, and is slow to say so.
      let isReachable = publisher.streamError == nil
      let request = isReachable ? takeHandover() : nil
      if isReachable, database.fencedBy == nil {
        copySource.check()
        watchReplicas()
      }
      let event = state.withLock { state in
        state.isChecking = false
        return state.tracker.take(checkOf: publisher)
      }
      if let event { database.report(event) }
      schedule()
      guard let request else { return }
      // A queue of its own gets a thread even if savers occupy the global queue.
      DispatchQueue(label: "samplelog.handover").async { [weak self] in self?.handOver(request) }
    }
  }

  /// Reports the replicas whose next commits the stream has discarded.
  private func watchReplicas() {
    guard state.withLock({ $0.retention.isDue() }),
      let replicas = try? transport.reports(of: database.storeID),
      let first = try? transport.read(from: 1, limit: 1).first,
      let message = (try? Message(first.bytes)) ?? nil
    else { return }
    let events = state.withLock { $0.retention.take(replicas, streamBeginsWith: message) }
    for event in events { database.report(event) }
  }

  /// Returns a replica's request for a handover, and marks the handover as begun; nil if there is
  /// no request, or a handover has not ended.
  func takeHandover() -> Handover? {
    guard database.fencedBy == nil,
      let bytes = try? publisher.transport.reports()[Handover.name],
      let request = Handover(bytes), !request.isAnswer, request.storeID == database.storeID,
      request.epoch == database.epoch
    else { return nil }
    return state.withLock { state in
      if state.isHandingOver { return nil }
      state.isHandingOver = true
      return request
    }
  }

  /// Marks the handover as ended.
  func endHandover() { state.withLock { $0.isHandingOver = false } }

  /// Publishes all durable commits, after checking that the stream still ends with this primary's
  /// last message.
  ///
  /// - Returns: Whether the stream has confirmed all of them.
  func publishNow() -> Bool {
    queue.sync {
      publisher.check(removesErased: false)
      publish()
      return publisher.publishedThrough == database.durableEnd
    }
  }

  /// Acquires or renews the lease for ``leaseSeconds``.
  ///
  /// Repeated failures are also reported as an event, unless the stream does not respond either.
  ///
  /// - Parameter holder: The name under which this primary holds the lease.
  /// - Returns: Whether this primary has the lease now.
  /// - Throws: An error of the stream. The lease is advisory, so the primary may continue.
  @discardableResult
  public func renewLease(holder: String) throws -> Bool {
    let isReachable = state.withLock { $0.tracker.isReachable }
    return try services.request(.lease, isStreamReachable: isReachable) {
      try transport.lease(holder: holder, seconds: Self.leaseSeconds)
    }
  }

  /// The last sequence number that the stream has confirmed.
  ///
  /// Waits for the operation in progress; ``metrics()`` does not.
  public var publishedThrough: UInt64 { queue.sync { publisher.publishedThrough } }

  /// The last erasure before which neither the stream nor a log of this store has commits, or 0.
  ///
  /// ``check()`` advances it once every replica that reports has removed the erased data. Waits for
  /// the operation in progress.
  package var releasedThrough: UInt64 { queue.sync { publisher.releasedThrough } }

  /// The commits that neither the stream nor a log has, or nil if the logs continue the stream.
  ///
  /// While there is a gap, commits are on this disk only, and a commit with
  /// ``Acknowledgement/replicated`` throws ``ReplicationError/gap(_:)``.
  public var gap: PublishingGap? { state.withLock { $0.tracker.metrics.gap } }

  /// The error that has stopped publishing, or nil while publishing continues.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Publishes all durable commits and closes the store.
  ///
  /// - Throws: ``ReplicationError/notReplicated(through:)`` or ``ReplicationError/gap(_:)`` if the
  ///   stream did not accept all commits. The store is then closed, too, and keeps its logs.
  public func close() throws {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    copySource.close()
    let end = database.end
    defer { try? database.close() }
    try database.flush()
    try queue.sync {
      // Each request to an unreachable stream may take seconds, and the process may be stopping.
      var attempts = state.withLock { $0.tracker.isReachable } ? 100 : 3
      while attempts > 0 {
        switch try step() {
        case .idle: return try publisher.noteConfirmed()
        case .unresolved: attempts -= 1
        case .accepted, .located: break
        case .blocked: throw gapError()
        }
      }
      throw ReplicationError.notReplicated(through: end)
    }
  }

  /// Returns the metrics of publishing, without a request to the stream.
  public func metrics() -> PrimaryMetrics {
    let (end, time) = (database.durableEnd, clock())
    let fencedBy = database.fencedBy
    return state.withLock { state in
      var metrics = state.tracker.metrics
      metrics.lag = end - min(end, metrics.publishedThrough)
      metrics.lagSeconds = state.tracker.lag.seconds(at: time)
      metrics.fencedBy = fencedBy
      metrics.failure = state.failure.map { "\($0)" }
      return metrics
    }
  }

  private func gapError() -> ReplicationError {
    // The publisher's state is that of the step that has just ended on the same queue.
    guard let gap = publisher.gap else {
      return .notReplicated(through: database.durableEnd)
    }
    return .gap(gap)
  }

  /// Runs a step of the publisher on its queue, and records it for metrics and events.
  private func step() throws -> Publisher.Step {
    let step = try publisher.step()
    if let event = state.withLock({ $0.tracker.take(step, of: publisher) }) {
      database.report(event)
    }
    return step
  }

  private func isDurable(_ last: UInt64) {
    let time = clock()
    state.withLock { $0.tracker.lag.add(last, at: time) }
    schedule()
  }

  private func schedule(after seconds: Double = 0) {
    let isNew = state.withLock { state in
      if state.isScheduled || state.isClosed { return false }
      state.isScheduled = true
      return true
    }
    guard isNew else { return }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.publish() }
  }

  private func publish() {
    let isClosed = state.withLock { state in
      state.isScheduled = false
      return state.isClosed
    }
    if isClosed { return }
    do {
      while true {
        switch try step() {
        case .idle: return
        case .unresolved: return schedule(after: 0.05)
        // Creating a replica that closes the gap takes a while.
        case .blocked: return schedule(after: 0.5)
        case .accepted, .located: break
        }
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// Opens a promoted replica, which has been closed, as a primary.
  ///
  /// - Throws: The errors of ``init(path:transport:options:fileSystem:)``.
  public static func promote(
    _ path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> Primary {
    try Database.promote(path, fileSystem: fileSystem)
    return try Primary(path: path, transport: transport, options: options, fileSystem: fileSystem)
  }
}
