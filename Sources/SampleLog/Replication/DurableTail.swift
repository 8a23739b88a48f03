/// The durable end of the log, which may trail the visible end if commits are buffered.
final class DurableTail: Sendable {
  private let last: Locked<UInt64>
  private let delegates: DatabaseDelegates

  init(end: UInt64, _ delegates: DatabaseDelegates) {
    last = Locked(end)
    self.delegates = delegates
  }

  /// The last sequence number that is durable.
  var end: UInt64 { last.withLock { $0 } }

  /// Records that commits through `end` are durable, and notifies the delegates.
  func advance(to end: UInt64) {
    last.withLock { $0 = max($0, end) }
    for delegate in delegates.all { delegate.databaseDidSync(through: end) }
  }
}

/// The state that replication imposes on a store.
struct ReplicationState: Sendable {
  /// The epoch of the promoted copy that fences this one, if any.
  var fencedBy: UInt32?
  /// The floor of a replica's primary; the replica discards no deletion above it.
  var primaryFloor: UInt64 = 0
}

extension Database {
  /// The last sequence number that is on stable storage.
  package var durableEnd: UInt64 { tail.end }

  /// The end of the store's history in the log.
  package var historyEnd: HistoryPosition {
    get throws {
      try committer.exclusively {
        guard let writer = committer.writer else { throw StoreError.closed }
        return HistoryPosition(last: end, chain: writer.history)
      }
    }
  }

  /// Fences the store: another copy has taken over, so all further saves fail.
  ///
  /// Has no effect on a replica, which accepts no saves and may be promoted later.
  package func fence(by epoch: UInt32) {
    if isReplica { return }
    let isNew = replication.withLock { state in
      defer { state.fencedBy = epoch }
      return state.fencedBy == nil
    }
    if isNew { report(.fenced(epoch: epoch)) }
  }

  /// Runs a closure while all commits wait, after making the earlier ones durable.
  ///
  /// The closure must neither commit nor flush.
  ///
  /// - Throws: ``StoreError/closed``, the errors of syncing the log, and those of the closure.
  package func holdingCommits(_ body: () throws -> Void) throws {
    try committer.exclusively {
      guard let writer = committer.writer else { throw StoreError.closed }
      try writer.sync()
      try body()
    }
  }

  /// The epoch of the copy that has taken over, or nil if the store is not fenced.
  package var fencedBy: UInt32? { replication.withLock { $0.fencedBy } }

  /// Whether the store accepts only its primary's commits.
  package var isReplica: Bool { options.primaryName != nil }

  /// Throws if the store is a replica or fenced.
  package func checkSaving() throws {
    if let primary = options.primaryName {
      throw StoreError.replica(path: path, primary: primary)
    }
    if let epoch = fencedBy { throw StoreError.fenced(epoch: epoch) }
  }
}
