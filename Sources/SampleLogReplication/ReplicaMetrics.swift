internal import SampleLog

/// Metrics of a replica's progress, for monitoring.
public struct ReplicaMetrics: Hashable, Sendable {
  /// The last sequence number that was applied.
  public internal(set) var appliedThrough: UInt64 = 0
  /// The number of sequence numbers from the store's end to the end of the stream as last read.
  public internal(set) var lag: UInt64 = 0
  /// The time since the replica was last seen to have everything in the stream, in seconds.
  ///
  /// Nil if that was never the case since the replica was opened.
  public internal(set) var lagSeconds: Double?
  /// The number of messages read since the store was opened.
  public internal(set) var messageCount = 0
  /// The number of times that the stream was read again from its beginning.
  public internal(set) var resynchronizationCount = 0
  /// Whether the stream answered the latest request.
  public internal(set) var isStreamReachable = true
  /// Whether the replica must be created again from a backup.
  public internal(set) var needsBackup = false
}

/// The tracker of a replica's progress, for its metrics.
struct ReplicaTracker {
  var metrics = ReplicaMetrics()
  var outage = Outage(limit: 1)
  /// The last sequence number in the stream as last read.
  var streamEnd: UInt64 = 0
  /// The time at which the replica was last seen to have everything in the stream.
  var lastComplete: Double?
}

extension ReplicaMetrics {
  /// The metrics in Prometheus's text format.
  ///
  /// Their names begin with `healthstore_replica_`.
  public var prometheusText: String {
    var text = PrometheusText()
    let prefix = "healthstore_replica_"
    text.gauge(prefix + "applied_sequence", "The last sequence number applied.", appliedThrough)
    text.gauge(prefix + "lag_records", "Records read that are not applied.", lag)
    if let lagSeconds {
      text.gauge(
        prefix + "lag_seconds", "Time since it was last seen to have everything in the stream.",
        lagSeconds)
    }
    text.counter(prefix + "messages_total", "Messages read since opening.", messageCount)
    text.counter(
      prefix + "resynchronizations_total", "Times that the stream was read again.",
      resynchronizationCount)
    text.gauge(
      prefix + "stream_reachable", "Whether the stream answered.", isStreamReachable ? 1 : 0)
    text.gauge(
      prefix + "needs_backup", "Whether it must be created again from a backup.",
      needsBackup ? 1 : 0)
    return text.text
  }
}
