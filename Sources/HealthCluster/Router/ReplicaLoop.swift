internal import Dispatch
import SampleLog
import SampleLogReplication

/// A background loop that steps a replica, pauses when there is nothing to read, and retries after
/// errors of the stream.
final class ReplicaLoop: Sendable {
  struct State {
    /// A generation number.
    ///
    /// A scheduled run is valid only if it is of the current generation.
    var generation = 0
    /// Whether replication has ended.
    var hasStopped = false
    var lag: UInt64 = 0
    var needsBackup = false
    var failure: (any Error)?
    var waiters = AnchorWaiters()
  }

  private static let errorPause = 0.25

  let database: Database
  let transport: any StreamTransport
  /// Accessed only on the queue.
  nonisolated(unsafe) let replica: Replica
  nonisolated(unsafe) var promotion: PromotionAttempt?
  nonisolated(unsafe) private var pause = IdlePause(longest: 0.05)
  let queue = DispatchQueue(label: "healthcluster.replica", qos: .userInitiated)
  let state = Locked(State())
  private let onChange: @Sendable () -> Void

  /// Takes exclusive control of a replica.
  ///
  /// `onChange` is called when replication encounters an error, and when it resumes.
  init(
    _ replica: Replica, _ transport: any StreamTransport, onChange: @escaping @Sendable () -> Void
  ) {
    self.replica = replica
    self.transport = transport
    database = replica.database
    self.onChange = onChange
  }

  /// Starts replication.
  func start() { schedule(after: 0) }

  func schedule(after seconds: Double) {
    let generation = state.withLock { state in
      state.generation += 1
      return state.generation
    }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self, self.state.withLock({ $0.generation == generation && !$0.hasStopped }) else {
        return
      }
      self.run()
    }
  }

  private func run() {
    if promotion != nil { return }
    var rest = 0.0
    while rest == 0, !state.withLock({ $0.hasStopped }) {
      do {
        rest = pause.next(isIdle: try replica.step() == .idle)
        note(nil)
      } catch {
        if note(error) { schedule(after: Self.errorPause) }
        return
      }
      checkWaiters()
    }
    schedule(after: rest)
  }

  /// Records the result of a step; returns whether replication continues.
  @discardableResult
  func note(_ error: (any Error)?) -> Bool {
    let isLost = if case ReplicationError.needsBackup? = error { true } else { false }
    // Errors of the stream's contents or of the store are permanent; all others are transport
    // errors.
    let ends = error is ReplicationError || error is StoreError
    let lag = replica.lag
    let (hasChanged, waiters) = state.withLock { state in
      state.lag = lag
      let hasChanged = (state.failure == nil) != (error == nil) || isLost
      state.failure = error
      state.needsBackup = isLost
      guard ends, let error else { return (hasChanged, [AnchorWaiters.Call]()) }
      state.hasStopped = true
      return (hasChanged, state.waiters.endAll(throwing: error))
    }
    for call in waiters { call() }
    if hasChanged { onChange() }
    return !ends
  }

  /// Ends replication and closes the store.
  ///
  /// Must not be called on the queue.
  func end() throws {
    stop()
    try queue.sync { try replica.close() }
  }

  /// Ends replication and closes the store.
  ///
  /// Must be called on the queue.
  func close() throws {
    stop()
    try replica.close()
  }

  private func stop() {
    let waiters = state.withLock { state in
      state.hasStopped = true
      return state.waiters.endAll(throwing: StoreError.closed)
    }
    for call in waiters { call() }
  }
}
