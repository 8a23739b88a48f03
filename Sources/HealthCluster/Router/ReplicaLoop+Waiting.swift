internal import Dispatch
import SampleLog
import SampleLogReplication

extension ReplicaLoop {
  /// Returns once the replica has everything that a reader at an anchor may have seen.
  ///
  /// - Throws: `ReplicationError.notHereYet` on a timeout, the errors of `Replica.has`, errors
  ///   that end replication, and `CancellationError`.
  func wait(for anchor: Anchor, atMost seconds: Double) async throws {
    try Task.checkCancellation()
    let number = state.withLock { $0.waiters.announce() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let call = state.withLock { state -> AnchorWaiters.Call? in
          if let call = state.waiters.wait(number, for: anchor, continuation) { return call }
          guard state.hasStopped else { return nil }
          return state.waiters.end(number, .failure(state.failure ?? StoreError.closed))
        }
        call?()
        check(number, anchor)
        schedule(after: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(seconds, 0)) { [weak self] in
          self?.giveUp(number, anchor)
        }
      }
    } onCancel: {
      state.withLock { $0.waiters.cancel(number) }?()
    }
  }

  func checkWaiters() {
    for (number, anchor) in state.withLock({ $0.waiters.anchors }) { check(number, anchor) }
  }

  private func check(_ number: Int, _ anchor: Anchor) {
    do {
      // This only reads the database, which any thread may do.
      guard try replica.has(anchor) else { return }
      end(number, .success(()))
    } catch {
      end(number, .failure(error))
    }
  }

  private func giveUp(_ number: Int, _ anchor: Anchor) {
    check(number, anchor)
    end(
      number,
      .failure(ReplicationError.notHereYet(anchor: anchor.horizon, end: database.end)))
  }

  private func end(_ number: Int, _ result: Result<Void, any Error>) {
    state.withLock { $0.waiters.end(number, result) }?()
  }
}
