#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  /// Stores and reads the values of transfers of copies, in a stream in memory.
  extension NATSTransport {
    /// The time for which a value is kept, in seconds.
    private static let copySeconds: Int64 = 60
    /// The maximum number of values: 64 MiB of pieces.
    private static let copyValueLimit: Int64 = 128

    private var copyStream: String { name + "_copies" }

    private func subject(of key: CopyKey) -> String {
      switch key {
      case .request(let transfer): "\(subject).copies.request.\(transfer)"
      case .offer(let transfer): "\(subject).copies.offer.\(transfer)"
      case .piece(let transfer, let slot): "\(subject).copies.piece.\(transfer).\(slot)"
      }
    }

    func put(_ value: [UInt8], under key: CopyKey) throws {
      let subject = subject(of: key)
      var status = publish(value, subject)
      // If the stream does not exist, no server responds.
      if status == NATS_NO_RESPONDERS {
        try makeCopyStream()
        status = publish(value, subject)
      }
      guard status == NATS_OK else { throw connection.failure("keep a part of a copy", status) }
    }

    /// Creates the stream that holds the latest value of each key.
    ///
    /// The number of its values is limited and not their size, because servers reserve the latter.
    /// One server keeps them: several would also keep the log of their replication, which grows to
    /// much more than the values before it is compacted.
    private func makeCopyStream() throws {
      var configuration = jsStreamConfig()
      jsStreamConfig_Init(&configuration)
      configuration.Storage = js_MemoryStorage
      configuration.MaxMsgsPerSubject = 1
      configuration.MaxMsgs = Self.copyValueLimit
      configuration.MaxAge = Self.copySeconds * 1_000_000_000
      configuration.Discard = js_DiscardOld
      configuration.AllowDirect = true
      let isMade = try makeStream(
        copyStream, for: "\(subject).copies.>", configuration, wait: connection.wait)
      if !isMade { throw connection.failure("keep a part of a copy", NATS_TIMEOUT) }
    }

    func value(under key: CopyKey) throws -> [UInt8]? {
      try reading(copyStream, "read a part of a copy", orElse: nil) {
        var options = jsDirectGetMsgOptions()
        jsDirectGetMsgOptions_Init(&options)
        return try subject(of: key).withCString {
          options.LastBySubject = $0
          return try message(&options, in: copyStream, "read a part of a copy")?.bytes
        }
      }
    }

    var transfersCopies: Bool { true }

    func copyRequests() throws -> [[UInt8]] {
      try reading(copyStream, "read requests for copies", orElse: [], storedRequests)
    }

    private func storedRequests() throws -> [[UInt8]] {
      var requests: [[UInt8]] = []
      var next: UInt64 = 1
      while let found = try message(
        "\(subject).copies.request.*", from: next, in: copyStream, "read requests for copies")
      {
        requests.append(found.bytes)
        next = found.sequence + 1
      }
      return requests
    }

    // MARK: Direct reads

    /// Reads from a stream that may not exist, in which case the result is `none`.
    ///
    /// Several servers do not respond to a direct read of a missing stream, which would take the
    /// whole timeout. So the stream is looked for first. One that was found is not looked for again
    /// unless reading fails: restarted servers have lost their streams in memory.
    func reading<Result>(
      _ stream: String, _ operation: String, orElse none: Result, _ body: () throws -> Result
    ) throws -> Result {
      guard try found.withLock({ $0.contains(stream) }) || find(stream, operation) else {
        return none
      }
      do {
        return try body()
      } catch {
        if try find(stream, operation) { throw error }
        return none
      }
    }

    private func find(_ stream: String, _ operation: String) throws -> Bool {
      found.withLock { _ = $0.remove(stream) }
      var request = connection.requestOptions()
      var code = jsErrCode(0)
      var info: UnsafeMutablePointer<jsStreamInfo>?
      let status = js_GetStreamInfo(&info, connection.jetStream, stream, &request, &code)
      jsStreamInfo_Destroy(info)
      if code == JSStreamNotFoundErr || status == NATS_NOT_FOUND { return false }
      guard status == NATS_OK else { throw connection.failure(operation, status) }
      found.withLock { _ = $0.insert(stream) }
      return true
    }

    /// A message of a stream that any of its servers has returned.
    struct StoredMessage {
      var sequence: UInt64
      var subject: String
      var bytes: [UInt8]
      /// The time at which the server received it, in nanoseconds since 1970.
      var time: Int64
    }

    /// Returns the first message of a subject at or after a sequence number, or nil if there is
    /// none.
    func message(
      _ subject: String, from sequence: UInt64, in stream: String, _ operation: String
    ) throws -> StoredMessage? {
      var options = jsDirectGetMsgOptions()
      jsDirectGetMsgOptions_Init(&options)
      options.Sequence = sequence
      return try subject.withCString {
        options.NextBySubject = $0
        return try message(&options, in: stream, operation)
      }
    }

    private func message(
      _ options: inout jsDirectGetMsgOptions, in stream: String, _ operation: String
    ) throws -> StoredMessage? {
      var request = connection.requestOptions()
      var message: OpaquePointer?
      let status = js_DirectGetMsg(&message, connection.jetStream, stream, &request, &options)
      defer { natsMsg_Destroy(message) }
      // If the stream does not exist, no server responds.
      if status == NATS_NOT_FOUND || status == NATS_NO_RESPONDERS { return nil }
      guard status == NATS_OK, let message, let subject = natsMsg_GetSubject(message) else {
        throw connection.failure(operation, status)
      }
      let bytes = UnsafeRawBufferPointer(
        start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
      return StoredMessage(
        sequence: natsMsg_GetSequence(message), subject: String(cString: subject),
        bytes: [UInt8](bytes), time: natsMsg_GetTime(message))
    }
  }
#endif
