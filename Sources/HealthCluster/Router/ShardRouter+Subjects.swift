public import HealthStore
import SampleLog
import SampleLogReplication

extension ShardRouter {
  /// Waits until this process's copy of a subject's shard has everything that a reader at an anchor
  /// may have seen.
  ///
  /// A client can thus read its own writes from another machine.
  ///
  /// - Parameters:
  ///   - anchor: The anchor returned by a query of any copy.
  ///   - subject: The subject.
  ///   - seconds: The timeout, in seconds.
  /// - Throws: `ReplicationError.notHereYet` on a timeout; the error that ended replication, if it
  ///   has ended; `StoreError.anchorOfAnotherStore`; `StoreError.anchorExpired`;
  ///   `StoreError.anchorFromTheFuture` for an anchor within commits that were lost with an
  ///   earlier primary; the errors of ``store(subject:)``; and `CancellationError`.
  public func wait(
    for anchor: HKQueryAnchor, of subject: String, atMost seconds: Double = 5
  ) async throws {
    let open = try local(subject)
    switch open.copy {
    case .primary(let renewer): _ = try renewer.primary.database.snapshot().check(anchor.anchor)
    case .replica(let loop): try await loop.wait(for: anchor.anchor, atMost: seconds)
    }
  }

  /// Erases all data of a subject, as `HealthDatabase.erase(subject:)` does.
  ///
  /// - Returns: The number of erased samples.
  /// - Throws: The errors of ``store(subject:)`` and of saving.
  @discardableResult
  public func erase(subject: String) async throws -> Int {
    try await local(subject).health.erase(subject: subject)
  }

  /// Returns the subjects with samples in the shards that are open in this process, by shard.
  ///
  /// - Throws: The errors of `HealthDatabase.subjects()`.
  public func subjects() async throws -> [String: [SubjectSummary]] {
    var subjects: [String: [SubjectSummary]] = [:]
    for (name, open) in state.withLock({ $0.shards }) {
      if let open { subjects[name] = try await open.health.subjects() }
    }
    return subjects
  }

  /// Returns a cohort of all subjects of a shard, as `HealthDatabase.cohort(_:)` does.
  ///
  /// - Throws: ``ShardError/elsewhere(shard:primary:)``,
  ///   ``ShardError/unknownShard(_:)`` and ``ShardError/closed``.
  public func cohort(ofShard name: String) throws(ShardError) -> HealthCohort {
    try local(shard: name).health.cohort()
  }
}
