internal import Dispatch
import SampleLog
import SampleLogReplication

/// A promotion that is retried until a deadline.
struct PromotionAttempt {
  let shard: String
  let promotion: Promotion
  /// The holder name for the lease, or nil if the promotion need not acquire the lease first.
  var holder: String?
  /// The deadline, on a monotonic clock.
  let deadline: DispatchTime
  let continuation: CheckedContinuation<Void, any Error>
}

extension ReplicaLoop {
  private static let leasePause = 0.1
  private static let pause = 0.005

  /// Promotes the replica and closes it.
  ///
  /// If the promotion is refused or times out, replication continues.
  ///
  /// - Parameters:
  ///   - shard: The name of the shard, for errors.
  ///   - holder: The holder name for the lease, or nil to promote without waiting for the
  ///     primary's lease to expire.
  ///   - seconds: The maximum time to try, in seconds.
  /// - Throws: ``ShardError/hasPrimary(shard:)``, ``ShardError/notPromoted(shard:)``, and errors
  ///   that end replication.
  func promote(_ shard: String, holder: String?, atMost seconds: Double) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { [self] in
        let (hasStopped, failure) = state.withLock { ($0.hasStopped, $0.failure) }
        if hasStopped {
          return continuation.resume(throwing: failure ?? StoreError.closed)
        }
        if promotion != nil {
          return continuation.resume(throwing: ShardError.notPromoted(shard: shard))
        }
        promotion = PromotionAttempt(
          shard: shard, promotion: Promotion(replica), holder: holder,
          deadline: .now() + max(seconds, 0), continuation: continuation)
        goOn()
      }
    }
  }

  /// Performs the next step.
  ///
  /// Must be called on the queue.
  private func goOn() {
    guard let attempt = promotion else { return }
    if state.withLock({ $0.hasStopped }) { return end(.failure(StoreError.closed)) }
    var pause = Self.pause
    do {
      if let holder = attempt.holder {
        if try transport.lease(holder: holder, seconds: Primary.leaseSeconds) {
          promotion?.holder = nil
        } else {
          pause = Self.leasePause
        }
      } else if try attempt.promotion.step() == .promoted {
        checkWaiters()
        try close()
        return end(.success(()))
      }
    } catch let error as ReplicationError where error.isRefusal {
      return end(.failure(error))
    } catch {
      // The stream may become reachable before the deadline.
      guard note(error) else { return end(.failure(error)) }
      pause = Self.leasePause
    }
    if DispatchTime.now() >= attempt.deadline {
      return end(
        .failure(
          promotion?.holder == nil
            ? ShardError.notPromoted(shard: attempt.shard)
            : ShardError.hasPrimary(shard: attempt.shard)))
    }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.goOn() }
  }

  private func end(_ result: Result<Void, any Error>) {
    let continuation = promotion?.continuation
    promotion = nil
    schedule(after: 0)
    continuation?.resume(with: result)
  }
}

extension ReplicationError {
  /// Whether the error rejects the promotion but does not affect replication.
  fileprivate var isRefusal: Bool {
    switch self {
    case .behind, .unfinished: true
    default: false
    }
  }
}
