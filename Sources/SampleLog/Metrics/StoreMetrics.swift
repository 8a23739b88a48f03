/// Figures about an open store that cost little to have, for a server's monitoring.
///
/// ``StoreStatistics`` has more and reads more.
public struct StoreMetrics: Hashable, Sendable {
  /// How far a durable subscription is.
  public struct Subscription: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// How many sequence numbers it has not acknowledged.
    public let lag: UInt64
  }

  /// What was done since the store was opened; nil for a handle that only reads.
  public internal(set) var activity: StoreActivity?
  /// Commits that wait for the one that is being written.
  public internal(set) var waitingCommitCount = 0
  /// The newest sequence number.
  public internal(set) var end: UInt64 = 0
  /// Anchors below it have expired.
  public internal(set) var floor: UInt64 = 0
  /// Files of samples that are closed.
  public internal(set) var segmentCount = 0
  /// Their bytes.
  public internal(set) var segmentByteCount = 0
  /// Their rows, those of deleted samples and of deletions included.
  public internal(set) var segmentRowCount = 0
  /// Logs, of which the last takes commits and the others wait to be sealed.
  public internal(set) var logCount = 0
  /// Rows in logs, which are in memory.
  public internal(set) var unsealedRowCount = 0
  /// The greatest number of rows of deleted samples that compaction would drop; statistics count
  /// them.
  public internal(set) var deadRowCount = 0
  /// Bytes of blocks that are kept in memory.
  public internal(set) var cacheByteCount = 0
  /// Durable subscriptions, by name.
  public internal(set) var subscriptions: [Subscription] = []
  /// Background deliveries that are registered.
  public internal(set) var deliveryCount = 0
  /// Those whose last delivery was not acknowledged, the stopped ones included.
  public internal(set) var failingDeliveryCount = 0
  /// Those to which nothing is delivered any more until somebody resets them.
  public internal(set) var stoppedDeliveryCount = 0
  /// The publication state; nil for a replica and a store that was never published.
  public internal(set) var publication: PublicationState?
  /// Why sealing or merging failed when it was tried last in the background; nil where it did not.
  public internal(set) var backgroundFailure: String?
}

extension Database {
  /// Returns figures about the store as it is now, without reading a file but the logs' headers of
  /// a store that is published.
  ///
  /// - Throws: ``StoreError/closed``, and ``StoreError/damaged(file:offset:reason:)`` for a
  ///   registration of a background delivery that cannot be read.
  /// - Complexity: Linear in the segments, subscriptions and registrations.
  public func metrics() throws -> StoreMetrics {
    try checkOpen()
    var result = StoreMetrics()
    if mode == .readWrite { result.activity = activity.withLock { $0 } }
    result.waitingCommitCount = committer.waiting
    result.cacheByteCount = caches.blocks.byteCount
    let snapshot = snapshot()
    result.backgroundFailure = state.withLock { $0.backgroundFailure }
    result.end = snapshot.end
    result.floor = snapshot.floor
    result.segmentCount = snapshot.segments.count
    for segment in snapshot.segments {
      result.segmentByteCount += segment.fileSize
      result.segmentRowCount += segment.rowCount
    }
    result.logCount = snapshot.memTables.count
    result.unsealedRowCount = snapshot.memTables.reduce(0) { $0 + $1.rowCount }
    result.deadRowCount = snapshot.dead.count
    result.subscriptions = acknowledgements.sorted { $0.key < $1.key }.map { name, sequence in
      StoreMetrics.Subscription(name: name, lag: snapshot.end - min(sequence, snapshot.end))
    }
    // Logs that cannot be read, or go while they are read, do not keep all other figures back.
    result.publication = try? publicationState()
    for registration in try registrations() {
      result.deliveryCount += 1
      let isFailing = registration.isStopped || registration.failureCount > 0
      if isFailing { result.failingDeliveryCount += 1 }
      if registration.isStopped { result.stoppedDeliveryCount += 1 }
    }
    return result
  }
}
