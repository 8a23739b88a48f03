#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  /// A transport that stores a store's stream in JetStream.
  final class NATSTransport: StreamTransport {
    let connection: NATSConnection
    let name: String
    let subject: String
    /// The number of messages to request at once: small at the end of the stream, large far from
    /// it.
    let window = Locked(1)
    /// The last sequence number of the stream, as its leader last reported it.
    let reportedEnd = Locked(UInt64(0))
    /// The streams in memory that were found, as far as is known.
    let found = Locked(Set<String>())
    /// The next check of the number of servers that keep a bucket, by the bucket's stream.
    let nextSpread = Locked([String: ContinuousClock.Instant]())

    init(_ connection: NATSConnection, _ name: String) {
      self.connection = connection
      self.name = name
      subject = name.replacing("_", with: ".")
    }

    /// Creates the stream, and retries while servers that have just started elect a leader.
    func waitForStream() throws {
      let deadline = ContinuousClock.now + .milliseconds(connection.makingWait)
      while try !makeStream(wait: connection.wait) {
        guard ContinuousClock.now < deadline else {
          throw connection.failure("make the stream \(name)", NATS_TIMEOUT)
        }
        nats_Sleep(50)
      }
    }

    /// Throws ``NATSError/noStream(name:server:)`` if the servers do not have the stream; waits
    /// while servers that have just started elect a leader.
    func requireStream() throws {
      let deadline = ContinuousClock.now + .milliseconds(connection.makingWait)
      while true {
        switch try confirmedPresence(of: name, wait: connection.wait) {
        case .present: return
        case .absent:
          throw NATSError.noStream(name: name, server: connection.options.address)
        case .unknown:
          guard ContinuousClock.now < deadline else {
            throw connection.failure("say whether it has the stream \(name)", NATS_TIMEOUT)
          }
          nats_Sleep(50)
        }
      }
    }

    /// Creates the stream.
    ///
    /// An existing stream is left unchanged.
    ///
    /// - Parameter wait: The timeout, in milliseconds.
    /// - Returns: Whether the stream exists now; false if the servers did not confirm it in time.
    /// - Throws: ``NATSError`` if the stream cannot be created.
    @discardableResult
    private func makeStream(wait: Int64) throws -> Bool {
      var configuration = jsStreamConfig()
      jsStreamConfig_Init(&configuration)
      configuration.Retention = js_LimitsPolicy
      configuration.Discard = js_DiscardOld
      configuration.Storage = js_FileStorage
      configuration.Replicas = Int64(connection.options.replicaCount)
      configuration.MaxBytes = connection.options.byteLimit
      configuration.DenyDelete = true
      // Appends are ordered by the expected last sequence, so deduplication by identifier is not
      // needed. The window is 0.1 seconds.
      configuration.Duplicates = 100_000_000
      configuration.AllowDirect = true
      return try makeStream(name, for: subject, configuration, wait: wait)
    }

    func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
      var message: OpaquePointer?
      var status = bytes.withUnsafeBytes {
        natsMsg_Create(
          &message, subject, nil, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32($0.count))
      }
      defer { natsMsg_Destroy(message) }
      // Set the header directly: the library's options treat 0 as no expectation.
      if status == NATS_OK {
        status = natsMsgHeader_Set(message, "Nats-Expected-Last-Sequence", String(last))
      }
      guard status == NATS_OK else { throw connection.failure("take a message", status) }
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      options.MaxWait = connection.wait
      var acknowledgement: UnsafeMutablePointer<jsPubAck>?
      var code = jsErrCode(0)
      status = js_PublishMsg(&acknowledgement, connection.jetStream, message, &options, &code)
      defer { jsPubAck_Destroy(acknowledgement) }
      if status == NATS_OK, let acknowledgement {
        return .accepted(acknowledgement.pointee.Sequence)
      }
      if Self.wrongLast.contains(code.rawValue) { return .refused }
      if status == NATS_NO_RESPONDERS, connection.options.makesStream {
        // The stream is lost or has no leader. It is created only if the servers confirm that it
        // is lost.
        try makeStream(wait: min(connection.wait, 250))
      }
      // Without a server the call fails immediately, and retrying without a pause would busy-wait.
      if status != NATS_TIMEOUT { nats_Sleep(50) }
      if let refusal = connection.refusal ?? connection.denial("take a message") { throw refusal }
      return .unknown
    }

    /// The server's error codes for an expectation that does not match the last message.
    private static let wrongLast: Set<UInt32> = [10_071, 10_164]

    func trim(through sequence: UInt64) throws {
      var request = connection.requestOptions()
      // Purges all messages before this sequence number.
      request.Stream.Purge.Sequence = sequence + 1
      var code = jsErrCode(0)
      let status = js_PurgeStream(connection.jetStream, name, &request, &code)
      guard status == NATS_OK else { throw connection.failure("trim the stream \(name)", status) }
    }
  }
#endif
