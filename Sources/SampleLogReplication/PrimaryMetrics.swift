internal import SampleLog

/// Metrics of a primary's publishing, for monitoring.
public struct PrimaryMetrics: Hashable, Sendable {
  /// The last sequence number that the stream has confirmed.
  public internal(set) var publishedThrough: UInt64 = 0
  /// The number of sequence numbers that are durable here but not confirmed by the stream.
  public internal(set) var lag: UInt64 = 0
  /// The time for which the oldest of them has been durable, in seconds; 0 if there are none.
  public internal(set) var lagSeconds = 0.0
  /// The number of messages that the stream has accepted since the store was opened.
  public internal(set) var messageCount = 0
  /// The size of these messages, in bytes.
  public internal(set) var byteCount = 0
  /// The number of times that the stream did not answer or refused a message since opening.
  public internal(set) var unresolvedCount = 0
  /// The epoch of the copy that was promoted in place of this one, or nil if none was.
  public internal(set) var fencedBy: UInt32?
  /// The commits that neither the stream nor a log has, or nil if the logs continue the stream.
  public internal(set) var gap: PublishingGap?
  /// The reason for which publishing has stopped, or nil while it continues.
  public internal(set) var failure: String?
}

extension PrimaryMetrics {
  /// The metrics in Prometheus's text format.
  ///
  /// Their names begin with `healthstore_replication_`.
  public var prometheusText: String {
    var text = PrometheusText()
    let prefix = "healthstore_replication_"
    text.gauge(
      prefix + "published_sequence", "The last sequence number that the stream has confirmed.",
      publishedThrough)
    text.gauge(prefix + "lag_records", "Durable records that it has not confirmed.", lag)
    text.gauge(prefix + "lag_seconds", "Age of the oldest of them.", lagSeconds)
    text.counter(prefix + "messages_total", "Messages accepted since opening.", messageCount)
    text.counter(prefix + "bytes_total", "Bytes of these messages.", byteCount)
    text.counter(
      prefix + "unresolved_total", "Messages refused or not answered since opening.",
      unresolvedCount)
    text.gauge(
      prefix + "fenced", "Whether another copy was promoted.", fencedBy == nil ? 0 : 1)
    text.gauge(
      prefix + "gap", "Whether the logs do not continue the stream.", gap == nil ? 0 : 1)
    text.gauge(prefix + "failed", "Whether publishing has stopped.", failure == nil ? 0 : 1)
    return text.text
  }
}
