internal import Dispatch
import SampleLog
import SampleLogReplication

/// A promotion that is tried until a time.
struct PromotionAttempt {
  let shard: String
  let promotion: Promotion
  /// Who asks for the lease; nil when nobody waits for that of the primary.
  var holder: String?
  /// When to give up, by the clock that does not go back.
  let deadline: DispatchTime
  let continuation: CheckedContinuation<Void, any Error>
}

extension ReplicaFollower {
  private static let leasePause = 0.1
  private static let pause = 0.005

  /// Promotes the replica and closes it; what goes wrong before leaves it following.
  ///
  /// - Parameters:
  ///   - shard: The shard, for errors.
  ///   - holder: Who asks for the lease; nil not to wait for the end of the primary's.
  ///   - seconds: For how long to try.
  /// - Throws: ``ShardError/hasPrimary(shard:)``,
  ///   ``ShardError/notPromoted(shard:)``, and what ends following.
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

  /// Goes a step further; on the queue.
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
      // The stream may be there again before the time is up.
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
  /// Whether only the promotion cannot go on.
  fileprivate var isRefusal: Bool {
    switch self {
    case .behind, .unfinished: true
    default: false
    }
  }
}
