#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  /// Stores and reads the reports of replicas, in a key-value bucket.
  extension NATSTransport {
    /// The time for which the last report of a replica is kept, in seconds.
    private static let reportSeconds: Int64 = 60

    private var reportBucket: String { name + "_replicas" }

    func report(_ report: [UInt8], from replica: String) throws {
      let subject = "$KV.\(reportBucket).\(Self.key(of: replica))"
      var status = publish(report, subject)
      // If the bucket does not exist, no server responds. It is in memory, and lost if the servers
      // restart.
      if status == NATS_NO_RESPONDERS {
        try makeReportBucket()
        status = publish(report, subject)
      }
      guard status == NATS_OK else { throw connection.failure("keep a replica's report", status) }
      spread("KV_\(reportBucket)")
    }

    func publish(_ report: [UInt8], _ subject: String) -> natsStatus {
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      options.MaxWait = connection.wait
      return report.withUnsafeBytes {
        js_Publish(
          nil, connection.jetStream, subject, $0.baseAddress, Int32($0.count), &options, nil)
      }
    }

    /// Creates the bucket that holds the latest report of each replica.
    ///
    /// An existing bucket is left unchanged.
    ///
    /// The library's function for buckets is not used, because it does not let the caller set
    /// `AllowDirect`, with which any server may respond to reads.
    private func makeReportBucket() throws {
      var configuration = jsStreamConfig()
      jsStreamConfig_Init(&configuration)
      configuration.Storage = js_MemoryStorage
      configuration.Replicas = Int64(try serverCount())
      configuration.MaxMsgsPerSubject = 1
      configuration.MaxAge = Self.reportSeconds * 1_000_000_000
      configuration.Discard = js_DiscardNew
      configuration.AllowRollup = true
      configuration.DenyDelete = true
      configuration.AllowDirect = true
      let isMade = try makeStream(
        "KV_\(reportBucket)", for: "$KV.\(reportBucket).>", configuration, wait: connection.wait)
      if !isMade { throw connection.failure("keep replicas' reports", NATS_TIMEOUT) }
    }

    func reports() throws -> [String: [UInt8]] {
      try reportMessages().mapValues(\.bytes)
    }

    /// Returns the latest report of each replica, and the time at which the server received it, in
    /// nanoseconds since 1970.
    func reportMessages() throws -> [String: (bytes: [UInt8], time: Int64)] {
      try reading("KV_\(reportBucket)", "read replicas' reports", orElse: [:], storedReports)
    }

    private func storedReports() throws -> [String: (bytes: [UInt8], time: Int64)] {
      var reports: [String: (bytes: [UInt8], time: Int64)] = [:]
      var next: UInt64 = 1
      while let found = try message(
        "$KV.\(reportBucket).>", from: next, in: "KV_\(reportBucket)", "read replicas' reports")
      {
        let key = found.subject.dropFirst("$KV.\(reportBucket).".count)
        if let replica = Self.replica(of: key) { reports[replica] = (found.bytes, found.time) }
        next = found.sequence + 1
      }
      return reports
    }

    // MARK: Keys

    /// Returns the key of a replica: letters, digits and hyphens of its name unchanged, and each
    /// other byte as an equals sign and two hexadecimal digits.
    static func key(of replica: String) -> String {
      // A key must not be empty.
      if replica.isEmpty { return "=" }
      return replica.utf8.reduce(into: "") { key, byte in
        if isPlain(byte) {
          key.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          key += byte < 16 ? "=0" : "="
          key += String(byte, radix: 16)
        }
      }
    }

    /// Returns the name of the replica with a key, or nil if the key is malformed.
    static func replica(of key: Substring) -> String? {
      if key == "=" { return "" }
      var bytes: [UInt8] = []
      var rest = key.utf8[...]
      while let byte = rest.popFirst() {
        if isPlain(byte) {
          bytes.append(byte)
          continue
        }
        guard byte == UInt8(ascii: "="), let high = rest.popFirst(), let low = rest.popFirst(),
          let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
      }
      return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
#endif
