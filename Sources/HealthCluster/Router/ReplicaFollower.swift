internal import Dispatch
import SampleLog
import SampleLogReplication

/// Follows a primary in the background: steps a replica, rests when there is nothing to read, and
/// tries again after an error of the stream.
final class ReplicaFollower: Sendable {
  struct State {
    /// What is scheduled counts only with the number of the last schedule.
    var turn = 0
    /// Whether it follows no more.
    var hasStopped = false
    var lag: UInt64 = 0
    var needsBackup = false
    var failure: (any Error)?
    var waiters = AnchorWaiters()
  }

  /// How long it rests, in seconds: longer and longer while there is nothing to read.
  private static let idlePauses = 0.005...0.05
  private static let errorPause = 0.25

  let database: Database
  let transport: any StreamTransport
  /// Everything that touches it runs on the queue.
  nonisolated(unsafe) let replica: Replica
  nonisolated(unsafe) var promotion: PromotionAttempt?
  nonisolated(unsafe) private var idlePause = idlePauses.lowerBound
  let queue = DispatchQueue(label: "healthcluster.follow", qos: .userInitiated)
  let state = Locked(State())
  private let onChange: @Sendable () -> Void

  /// Takes a replica that nobody else steps from now on, and a function that is called when
  /// following meets an error, and when it goes on again.
  init(
    _ replica: Replica, _ transport: any StreamTransport, onChange: @escaping @Sendable () -> Void
  ) {
    self.replica = replica
    self.transport = transport
    database = replica.database
    self.onChange = onChange
  }

  /// Reads on at once, and from then on by itself.
  func follow() { schedule(after: 0) }

  func schedule(after seconds: Double) {
    let turn = state.withLock { state in
      state.turn += 1
      return state.turn
    }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self, self.state.withLock({ $0.turn == turn && !$0.hasStopped }) else { return }
      self.run()
    }
  }

  private func run() {
    if promotion != nil { return }
    var isIdle = false
    idlePause = min(idlePause * 2, Self.idlePauses.upperBound)
    while !isIdle, !state.withLock({ $0.hasStopped }) {
      do {
        isIdle = try replica.step() == .idle
        if !isIdle { idlePause = Self.idlePauses.lowerBound }
        note(nil)
      } catch {
        if note(error) { schedule(after: Self.errorPause) }
        return
      }
      checkWaiters()
    }
    schedule(after: idlePause)
  }

  /// Takes note of how a step ended; returns whether following goes on.
  @discardableResult
  func note(_ error: (any Error)?) -> Bool {
    let isLost = if case ReplicationError.needsBackup? = error { true } else { false }
    // What the stream or the store say does not change by itself; other errors are the way there.
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

  /// Ends following and closes the store; not on the queue.
  func end() throws {
    stop()
    try queue.sync { try replica.close() }
  }

  /// The same on the queue.
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
