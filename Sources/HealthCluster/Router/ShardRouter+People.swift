public import HealthStore
import SampleLog
import SampleLogReplication

extension ShardRouter {
  /// Returns once this process's copy of a person's shard has everything that the reader of an
  /// anchor may have seen, so that a client reads what it has saved through another machine.
  ///
  /// - Parameters:
  ///   - anchor: The anchor that a query of any copy has returned.
  ///   - subject: The person.
  ///   - seconds: For how long to wait at most.
  /// - Throws: `ReplicationError.notHereYet` when the time is up; what ended following when it has
  ///   ended; `StoreError.anchorOfAnotherStore`, `StoreError.anchorExpired`, and
  ///   `StoreError.anchorFromTheFuture` for one into commits that were lost with an earlier
  ///   primary; what ``store(subject:)`` throws; and `CancellationError`.
  public func wait(
    for anchor: HKQueryAnchor, of subject: String, atMost seconds: Double = 5
  ) async throws {
    let open = try local(subject)
    switch open.copy {
    case .primary(let keeper): _ = try keeper.primary.database.snapshot().check(anchor.anchor)
    case .replica(let follower): try await follower.wait(for: anchor.anchor, atMost: seconds)
    }
  }

  /// Erases everything of a person, as `HealthDatabase.erase(subject:)`.
  ///
  /// - Returns: How many samples were erased.
  /// - Throws: What ``store(subject:)`` and saving through it throw.
  @discardableResult
  public func erase(subject: String) async throws -> Int {
    try await local(subject).health.erase(subject: subject)
  }

  /// Returns the people of the shards that are open here who have samples, by shard.
  ///
  /// - Throws: What `HealthDatabase.people()` throws.
  public func people() async throws -> [String: [PersonSummary]] {
    var people: [String: [PersonSummary]] = [:]
    for (name, open) in state.withLock({ $0.shards }) {
      if let open { people[name] = try await open.health.people() }
    }
    return people
  }

  /// Returns an object that asks everybody of a shard, as `HealthDatabase.cohort(_:)`.
  ///
  /// - Throws: ``ShardError/elsewhere(shard:primary:)``,
  ///   ``ShardError/unknownShard(_:)`` and ``ShardError/closed``.
  public func cohort(ofShard name: String) throws(ShardError) -> HealthCohort {
    let (shard, open, isClosed) = state.withLock { state in
      (state.map.shard(named: name), state.shards[name] ?? nil, state.isClosed)
    }
    if isClosed { throw .closed }
    guard let shard else { throw .unknownShard(name) }
    guard let open else { throw .elsewhere(shard: name, primary: shard.primary) }
    return open.health.cohort()
  }
}
