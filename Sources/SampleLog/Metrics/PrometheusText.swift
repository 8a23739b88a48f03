/// A text in Prometheus's exposition format, version 0.0.4.
package struct PrometheusText {
  package private(set) var text = ""

  package init() {}

  /// Adds a gauge.
  package mutating func gauge(_ name: String, _ help: String, _ value: some Numeric) {
    begin(name, "gauge", help)
    text += "\(name) \(value)\n"
  }

  /// Adds gauges that differ in one label.
  package mutating func gauges(
    _ name: String, _ help: String, label: String, _ values: [(label: String, value: UInt64)]
  ) {
    if values.isEmpty { return }
    begin(name, "gauge", help)
    for (value, number) in values {
      text += "\(name){\(label)=\"\(Self.escaped(value))\"} \(number)\n"
    }
  }

  /// Adds a counter, which increases until the process ends.
  package mutating func counter(_ name: String, _ help: String, _ value: some BinaryInteger) {
    begin(name, "counter", help)
    text += "\(name) \(value)\n"
  }

  /// Adds a histogram of durations, in seconds.
  package mutating func histogram(_ name: String, _ help: String, _ values: LatencyHistogram) {
    begin(name, "histogram", help)
    var count = 0
    for (bound, more) in zip(LatencyHistogram.bounds, values.counts) {
      count += more
      text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
    }
    text += "\(name)_bucket{le=\"+Inf\"} \(values.count)\n"
    text += "\(name)_sum \(values.totalSeconds)\n\(name)_count \(values.count)\n"
  }

  private mutating func begin(_ name: String, _ kind: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension StoreMetrics {
  /// The metrics in Prometheus's text format.
  ///
  /// Names begin with `healthstore_`, times are in seconds.
  public var prometheusText: String {
    var text = PrometheusText()
    write(to: &text)
    return text.text
  }

  package func write(to text: inout PrometheusText) {
    if let activity {
      text.counter(
        "healthstore_commits_total", "Commits acknowledged since opening.", activity.commitCount)
      text.counter(
        "healthstore_records_total", "Records of these commits.", activity.recordCount)
      text.histogram(
        "healthstore_write_seconds", "Writing commits to the log, syncs included.",
        activity.writes)
      text.histogram(
        "healthstore_seal_seconds", "Making a segment of a log.", activity.sealings)
      text.histogram("healthstore_merge_seconds", "Merging segments.", activity.merges)
      text.gauge(
        "healthstore_waiting_commits", "Commits that wait to be written.", waitingCommitCount)
      text.gauge("healthstore_cache_bytes", "Blocks kept in memory.", cacheByteCount)
    }
    text.gauge("healthstore_newest_sequence", "The newest sequence number.", end)
    text.gauge("healthstore_floor_sequence", "Anchors below have expired.", floor)
    text.gauge("healthstore_segments", "Segment files.", segmentCount)
    text.gauge("healthstore_segment_bytes", "Bytes of segment files.", segmentByteCount)
    text.gauge("healthstore_segment_rows", "Rows of segment files.", segmentRowCount)
    text.gauge("healthstore_logs", "Logs.", logCount)
    let publication = publication ?? PublicationState()
    text.gauge(
      "healthstore_unpublished_records", "Records that may wait to be published.",
      publication.unpublishedRecordCount)
    text.gauge(
      "healthstore_kept_logs", "Sealed logs kept until they are published.",
      publication.keptLogCount)
    text.gauge("healthstore_kept_log_bytes", "Their bytes.", publication.keptLogByteCount)
    text.gauge("healthstore_unsealed_rows", "Rows in logs.", unsealedRowCount)
    text.gauge("healthstore_deleted_rows", "Rows that compaction would drop.", deletedRowCount)
    text.gauges(
      "healthstore_subscription_lag", "Sequence numbers not acknowledged.", label: "subscription",
      subscriptions.map { ($0.name, $0.lag) })
    text.gauge("healthstore_deliveries", "Background deliveries registered.", deliveryCount)
    text.gauge(
      "healthstore_deliveries_failing", "Deliveries not acknowledged.", failingDeliveryCount)
    text.gauge("healthstore_deliveries_stopped", "Deliveries stopped.", stoppedDeliveryCount)
    text.gauge(
      "healthstore_background_failed", "Whether sealing or merging failed last.",
      backgroundFailure == nil ? 0 : 1)
  }
}
