internal import SampleLog

/// Figures about how a replica follows its primary, for a server's monitoring.
public struct ReplicaMetrics: Hashable, Sendable {
  /// The last sequence number that is applied.
  public internal(set) var appliedThrough: UInt64 = 0
  /// How many sequence numbers the stream has, as far as it was read, that are not applied.
  public internal(set) var lag: UInt64 = 0
  /// For how many seconds the replica has not been seen to have all that the stream has; nil when
  /// it never was since it was opened.
  public internal(set) var lagSeconds: Double?
  /// Messages read since the store was opened.
  public internal(set) var messageCount = 0
  /// How often the stream was read from its beginning again.
  public internal(set) var resynchronizationCount = 0
  /// Whether the stream answered when it was asked last.
  public internal(set) var isStreamReachable = true
  /// Whether the store has to be made of a backup again.
  public internal(set) var needsBackup = false
}

/// What a replica knows of its following, for its metrics.
struct FollowingAccount {
  var metrics = ReplicaMetrics()
  /// The last sequence number in the stream, as far as it was read.
  var streamEnd: UInt64 = 0
  /// When the replica was last seen to have all that the stream has.
  var lastComplete: Double?
}

extension ReplicaMetrics {
  /// The figures in Prometheus's text format.
  ///
  /// Names begin with `healthstore_replica_`.
  public var prometheusText: String {
    var text = PrometheusText()
    let prefix = "healthstore_replica_"
    text.gauge(prefix + "applied_sequence", "The last sequence number applied.", appliedThrough)
    text.gauge(prefix + "lag_records", "Records read of that are not applied.", lag)
    if let lagSeconds {
      text.gauge(
        prefix + "lag_seconds", "Since when it was not seen to have all of the stream.",
        lagSeconds)
    }
    text.counter(prefix + "messages_total", "Messages read since opening.", messageCount)
    text.counter(
      prefix + "resynchronizations_total", "How often the stream was read again.",
      resynchronizationCount)
    text.gauge(
      prefix + "stream_reachable", "Whether the stream answered last.", isStreamReachable ? 1 : 0)
    text.gauge(
      prefix + "needs_backup", "Whether it has to be made of a backup again.",
      needsBackup ? 1 : 0)
    return text.text
  }
}
