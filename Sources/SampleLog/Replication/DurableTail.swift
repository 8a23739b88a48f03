/// How far the log is durable, which may be behind what is visible where commits are buffered.
final class DurableTail: Sendable {
  private let last: Locked<UInt64>
  private let delegates: DatabaseDelegates

  init(end: UInt64, _ delegates: DatabaseDelegates) {
    last = Locked(end)
    self.delegates = delegates
  }

  /// The last sequence number that is durable.
  var end: UInt64 { last.withLock { $0 } }

  /// Takes note of what a sync has made durable.
  func settle(_ end: UInt64) {
    last.withLock { $0 = max($0, end) }
    for delegate in delegates.all { delegate.databaseDidSync(through: end) }
  }
}

/// What a store knows of the other copies that take part in its replication.
struct ReplicationState: Sendable {
  /// The epoch of the copy that was promoted, after which nothing may be saved here.
  var fencedBy: UInt32?
  /// The floor of a replica's primary, above which the replica forgets nothing.
  var primaryFloor: UInt64 = 0
}

extension Database {
  /// The last sequence number that is on stable storage.
  package var durableEnd: UInt64 { tail.end }

  /// Where the store's history ends, as far as it is in the log.
  package var historyEnd: HistoryPosition {
    get throws {
      try committer.exclusively {
        guard let writer = committer.writer else { throw StoreError.closed }
        return HistoryPosition(last: end, chain: writer.history)
      }
    }
  }

  /// Ends saving for good, because another copy of the store has taken over.
  ///
  /// A replica saves nothing anyway, and may be promoted later.
  package func fence(by epoch: UInt32) {
    if isReplica { return }
    let isNew = replication.withLock { state in
      defer { state.fencedBy = epoch }
      return state.fencedBy == nil
    }
    if isNew { report(.fenced(epoch: epoch)) }
  }

  /// The epoch of the copy that has taken over; nil while saving goes on here.
  package var fencedBy: UInt32? { replication.withLock { $0.fencedBy } }

  /// Whether only a primary's commits change the store.
  package var isReplica: Bool { options.primaryName != nil }

  /// Throws where another copy of the store is the one to save in.
  package func checkSaving() throws {
    if let primary = options.primaryName {
      throw StoreError.replica(path: path, primary: primary)
    }
    if let epoch = fencedBy { throw StoreError.fenced(epoch: epoch) }
  }
}
