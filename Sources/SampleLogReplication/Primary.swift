internal import Dispatch
public import SampleLog

/// When a commit to a replicated store is acknowledged.
public enum Acknowledgement: Hashable, Sendable {
  /// When it is durable on the primary's disk. What is not published yet is lost if that disk is,
  /// or if another copy is promoted before.
  case local
  /// When the stream has it, too, and has accepted nothing of a newer epoch before it.
  case replicated
  /// When, beyond that, this many replicas have it on their disks, which is what survives when the
  /// stream loses what it had accepted. With 0 or less the same as ``replicated``.
  case copies(Int)

  /// How many replicas must have the commit; nil if not even the stream must.
  fileprivate var copyCount: Int? {
    switch self {
    case .local: nil
    case .replicated: 0
    case .copies(let count): max(count, 0)
    }
  }
}

/// A store to save in whose commits go to replicas through a stream.
public final class Primary: Sendable {
  private struct State {
    var isScheduled = false
    var isChecking = false
    var failure: (any Error)?
    var isClosed = false
    var account = PublishingAccount()
  }

  /// Hears of syncs for the primary, which keeps the database that keeps this.
  private final class Syncs: DatabaseDelegate {
    private weak let primary: Primary?

    init(_ primary: Primary) { self.primary = primary }

    func databaseDidSync(through sequence: UInt64) { primary?.isDurable(sequence) }
  }

  /// How long a primary has its lease unless it extends it, in seconds; whoever promotes a replica
  /// waits for its end.
  public static let leaseSeconds = 2.0

  /// The store.
  public let database: Database
  nonisolated(unsafe) private let publisher: Publisher
  /// Everything that touches the publisher runs here.
  private let queue = DispatchQueue(label: "samplelog.publish", qos: .userInitiated)
  private let state = Locked(State())
  private let clock: @Sendable () -> Double
  private let copies: CopyCounter

  /// Opens a store to save in, and publishes what its stream lacks.
  ///
  /// - Parameters:
  ///   - path: Its directory.
  ///   - transport: Its stream, which has nothing or the messages of this store.
  ///   - options: How it is opened.
  ///   - fileSystem: Where the directory is.
  /// - Throws: What opening a store throws; `StoreError.replica` for a replica.
  public init(
    path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    var options = options
    options.keepsSealedLogs = true
    clock = options.clock
    database = try Database(path: path, options: options, fileSystem: fileSystem)
    publisher = Publisher(database, transport)
    copies = CopyCounter(database, transport)
    database.add(Syncs(self))
    isDurable(database.durableEnd)
  }

  /// Commits a batch: all of it or nothing.
  ///
  /// - Parameters:
  ///   - batch: What to add and delete.
  ///   - acknowledgement: When to return.
  ///   - attempts: How often to ask the stream at most before giving up, and then the replicas.
  /// - Returns: What it did.
  /// - Throws: What `Database.commit(_:durability:)` throws, after which nothing of the batch is
  ///   in the store; ``ReplicationError/notReplicated(through:)`` and
  ///   ``ReplicationError/notCopied(through:copies:wanted:)``, after which it is in this store
  ///   and may come to be in others; and `StoreError.fenced`, after which it may be in
  ///   this store, and is not in the history that goes on.
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

  /// Waits until commits are acknowledged as asked.
  ///
  /// While it waits for replicas, other savers and publishing go on.
  ///
  /// - Parameters:
  ///   - last: The last sequence number of the last commit.
  ///   - acknowledgement: What to wait for; for ``Acknowledgement/local`` nothing.
  ///   - attempts: How often to ask the stream at most before giving up, and then how often to look
  ///     at the replicas' reports, with 16 ms between two looks but for the first few.
  /// - Throws: ``ReplicationError/notReplicated(through:)``, ``ReplicationError/gap(_:)``,
  ///   ``ReplicationError/notCopied(through:copies:wanted:)``, `StoreError.fenced`,
  ///   `StoreError.diverged` when a replica has commits of this epoch that the store has lost, and
  ///   what writing buffered commits throws.
  public func confirm(
    through last: UInt64, _ acknowledgement: Acknowledgement, attempts: Int = 1000
  ) throws {
    guard let count = acknowledgement.copyCount else { return }
    try database.flush()
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
      // Another copy may have been promoted since, which the last answer does not tell.
      if let epoch = database.fencedBy { throw StoreError.fenced(epoch: epoch) }
    }
    if count == 0 { return }
    try copies.wait(for: count, through: last, attempts: attempts, orElse: check)
  }

  /// Looks whether the stream still ends with what this primary has published, and publishes what
  /// it has lost.
  ///
  /// A primary that saves nothing finds out only so that another was promoted; then ``failure``
  /// says so soon. While it looks, another call does nothing, because a stream that is away takes
  /// its time to say so.
  public func check() {
    let isNew = state.withLock { state in
      defer { state.isChecking = true }
      return !state.isChecking
    }
    guard isNew else { return }
    queue.async { [weak self] in
      guard let self else { return }
      publisher.check()
      state.withLock { $0.isChecking = false }
      schedule()
    }
  }

  /// The last sequence number that the stream has confirmed, once what is under way has ended;
  /// ``metrics()`` does not wait for it.
  public var publishedThrough: UInt64 { queue.sync { publisher.publishedThrough } }

  /// The commits that neither the stream nor a log has; nil while the logs continue the stream.
  ///
  /// While there are any, saving with ``Acknowledgement/replicated`` throws
  /// ``ReplicationError/gap(_:)``, and commits are on this disk only.
  public var gap: PublishingGap? { state.withLock { $0.account.metrics.gap } }

  /// Why publishing has stopped; nil while it goes on.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Publishes everything durable and closes the store.
  ///
  /// - Throws: ``ReplicationError/notReplicated(through:)`` or ``ReplicationError/gap(_:)`` when
  ///   the stream did not take all of it; the store is closed then as well, and keeps its logs.
  public func close() throws {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    let end = database.end
    defer { try? database.close() }
    try database.flush()
    try queue.sync {
      var attempts = 100
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

  /// Returns figures about what is published, without asking the stream.
  public func metrics() -> PrimaryMetrics {
    let (end, time) = (database.durableEnd, clock())
    let fencedBy = database.fencedBy
    return state.withLock { state in
      var metrics = state.account.metrics
      metrics.lag = end - min(end, metrics.publishedThrough)
      metrics.lagSeconds = state.account.marks.seconds(at: time)
      metrics.fencedBy = fencedBy
      metrics.failure = state.failure.map { "\($0)" }
      return metrics
    }
  }

  private func gapError() -> ReplicationError {
    // The state is that of the step that has just ended, on the same queue.
    guard let gap = publisher.gap else {
      return .notReplicated(through: database.durableEnd)
    }
    return .gap(gap)
  }

  /// Takes a step of the publisher, on its queue, and keeps account of it.
  private func step() throws -> Publisher.Step {
    let step = try publisher.step()
    if let event = state.withLock({ $0.account.take(step, of: publisher) }) {
      database.report(event)
    }
    return step
  }

  private func isDurable(_ last: UInt64) {
    let time = clock()
    state.withLock { $0.account.marks.add(last, at: time) }
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
        // A replica that closes the gap takes its time to be made.
        case .blocked: return schedule(after: 0.5)
        case .accepted, .located: break
        }
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// Opens a replica that was promoted, closed since, to save in it.
  ///
  /// - Throws: What ``init(path:transport:options:fileSystem:)`` throws.
  public static func promote(
    _ path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> Primary {
    try Database.promote(path, fileSystem: fileSystem)
    return try Primary(path: path, transport: transport, options: options, fileSystem: fileSystem)
  }
}
