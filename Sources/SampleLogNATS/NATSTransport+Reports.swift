#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  extension NATSTransport {
    /// How long a report is kept after its replica has sent the last, in seconds.
    private static let reportSeconds: Int64 = 60

    private var reportBucket: String { name + "_replicas" }

    func report(_ report: [UInt8], from replica: String) throws {
      let subject = "$KV.\(reportBucket).\(Self.key(of: replica))"
      var status = publish(report, subject)
      // Nobody answers where there is no bucket: it is in memory, and gone with its servers.
      if status == NATS_NO_RESPONDERS {
        try makeReportBucket()
        status = publish(report, subject)
      }
      guard status == NATS_OK else { throw connection.failure("keep a replica's report", status) }
    }

    private func publish(_ report: [UInt8], _ subject: String) -> natsStatus {
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      options.MaxWait = connection.wait
      return report.withUnsafeBytes {
        js_Publish(
          nil, connection.jetStream, subject, $0.baseAddress, Int32($0.count), &options, nil)
      }
    }

    /// Makes the bucket of the replicas' reports, with the last of each; one that is there already
    /// stays as it is.
    ///
    /// Not by the library's function for buckets, which leaves it open whether any server answers.
    private func makeReportBucket() throws {
      var configuration = jsStreamConfig()
      jsStreamConfig_Init(&configuration)
      configuration.Storage = js_MemoryStorage
      configuration.Replicas = Int64(connection.options.replicaCount)
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
      var reports: [String: [UInt8]] = [:]
      var next = try firstReport()
      while next > 0, let (sequence, subject, bytes) = try report(from: next) {
        let key = subject.dropFirst("$KV.\(reportBucket).".count)
        if let replica = Self.replica(of: key) { reports[replica] = bytes }
        next = sequence + 1
      }
      return reports
    }

    /// Where the reports begin; 0 when there are none.
    ///
    /// Before the first there is no bucket, and a server leaves questions to what is not there
    /// unanswered.
    private func firstReport() throws -> UInt64 {
      var request = connection.requestOptions()
      var code = jsErrCode(0)
      var info: UnsafeMutablePointer<jsStreamInfo>?
      let status = js_GetStreamInfo(
        &info, connection.jetStream, "KV_\(reportBucket)", &request, &code)
      defer { jsStreamInfo_Destroy(info) }
      if code == JSStreamNotFoundErr || status == NATS_NOT_FOUND { return 0 }
      guard status == NATS_OK, let info else {
        throw connection.failure("read replicas' reports", status)
      }
      return info.pointee.State.Msgs == 0 ? 0 : max(info.pointee.State.FirstSeq, 1)
    }

    /// The first report from a place on; nil when there is none.
    private func report(
      from sequence: UInt64
    ) throws -> (sequence: UInt64, subject: String, bytes: [UInt8])? {
      var options = jsDirectGetMsgOptions()
      jsDirectGetMsgOptions_Init(&options)
      options.Sequence = sequence
      var request = connection.requestOptions()
      var message: OpaquePointer?
      let status = "$KV.\(reportBucket).>".withCString {
        options.NextBySubject = $0
        return js_DirectGetMsg(
          &message, connection.jetStream, "KV_\(reportBucket)", &request, &options)
      }
      defer { natsMsg_Destroy(message) }
      if status == NATS_NOT_FOUND || status == NATS_NO_RESPONDERS { return nil }
      guard status == NATS_OK, let message, let subject = natsMsg_GetSubject(message) else {
        throw connection.failure("read replicas' reports", status)
      }
      let bytes = UnsafeRawBufferPointer(
        start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
      return (natsMsg_GetSequence(message), String(cString: subject), [UInt8](bytes))
    }

    // MARK: Keys

    /// The key of a replica: letters, digits and hyphens of its name, and each other byte as an
    /// equals sign and two hexadecimal digits.
    static func key(of replica: String) -> String {
      // A key of no characters is none.
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

    /// The name that a key is of; nil for a key that none has.
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
