/// Inexpensive metrics of an open store, for monitoring a server.
///
/// ``StoreStatistics`` contains more, at a higher cost.
public struct StoreMetrics: Hashable, Sendable {
  /// The progress of a durable subscription.
  public struct Subscription: Hashable, Sendable {
    /// The name of the subscription.
    public let name: String
    /// The number of sequence numbers that the subscription has not acknowledged.
    public let lag: UInt64
  }

  /// The activity since the store was opened, or nil for a read-only handle.
  public internal(set) var activity: StoreActivity?
  /// The number of commits that wait for the current write.
  public internal(set) var waitingCommitCount = 0
  /// The newest sequence number.
  public internal(set) var end: UInt64 = 0
  /// The retention floor: anchors below it have expired.
  public internal(set) var floor: UInt64 = 0
  /// The number of segment files.
  public internal(set) var segmentCount = 0
  /// The total length of the segments, in bytes.
  public internal(set) var segmentByteCount = 0
  /// The number of rows in segments, including deleted samples and deletions.
  public internal(set) var segmentRowCount = 0
  /// The number of logs: the active one, and those that wait to be sealed.
  public internal(set) var logCount = 0
  /// The number of rows in logs, which are also in memory.
  public internal(set) var unsealedRowCount = 0
  /// An upper bound on the deleted rows that compaction would remove; ``StoreStatistics`` has the
  /// exact number.
  public internal(set) var deletedRowCount = 0
  /// The memory use of the block cache, in bytes.
  public internal(set) var cacheByteCount = 0
  /// The durable subscriptions, sorted by name.
  public internal(set) var subscriptions: [Subscription] = []
  /// The number of registered background deliveries.
  public internal(set) var deliveryCount = 0
  /// The number of deliveries whose last attempt was not acknowledged, including stopped ones.
  public internal(set) var failingDeliveryCount = 0
  /// The number of deliveries that are stopped until they are reset.
  public internal(set) var stoppedDeliveryCount = 0
  /// The publication state, or nil if the store is a replica or was never published.
  public internal(set) var publication: PublicationState?
  /// The error of the last background sealing or merge, or nil if it succeeded.
  public internal(set) var backgroundFailure: String?
}

extension Database {
  /// Returns the current metrics; reads no files except the log headers of a published store.
  ///
  /// - Throws: ``StoreError/closed``, and ``StoreError/damaged(file:offset:reason:)`` if a
  ///   background delivery's registration cannot be read.
  /// - Complexity: Linear in the number of segments, subscriptions and registrations.
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
    result.deletedRowCount = snapshot.deleted.count
    result.subscriptions = acknowledgements.sorted { $0.key < $1.key }.map { name, sequence in
      StoreMetrics.Subscription(name: name, lag: snapshot.end - min(sequence, snapshot.end))
    }
    // An unreadable or concurrently removed log must not prevent the other metrics.
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
