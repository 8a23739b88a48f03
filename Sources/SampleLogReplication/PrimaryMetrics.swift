internal import SampleLog

/// Figures about what a primary publishes, for a server's monitoring.
public struct PrimaryMetrics: Hashable, Sendable {
  /// The last sequence number that the stream has confirmed.
  public internal(set) var publishedThrough: UInt64 = 0
  /// How many sequence numbers are durable here and not confirmed by the stream.
  public internal(set) var lag: UInt64 = 0
  /// For how many seconds the oldest of them has been durable; 0 when there are none.
  public internal(set) var lagSeconds = 0.0
  /// Messages that the stream has accepted since the store was opened.
  public internal(set) var messageCount = 0
  /// Their bytes.
  public internal(set) var byteCount = 0
  /// How often the stream did not answer, or refused a message, since the store was opened.
  public internal(set) var unresolvedCount = 0
  /// The epoch of the copy that was promoted in this one's place; nil while saving goes on here.
  public internal(set) var fencedBy: UInt32?
  /// The commits that neither the stream nor a log has; nil while the logs continue the stream.
  public internal(set) var gap: PublishingGap?
  /// Why publishing has stopped; nil while it goes on.
  public internal(set) var failure: String?
}

extension PrimaryMetrics {
  /// The figures in Prometheus's text format.
  ///
  /// Names begin with `healthstore_replication_`.
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
