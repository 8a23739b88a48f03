#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  /// A store's stream in JetStream.
  final class NATSTransport: StreamTransport {
    let connection: NATSConnection
    let name: String
    let subject: String
    /// How many messages to ask for at once: few at the end of the stream, many far from it.
    let window = Locked(1)
    /// The bucket that leases are in; nil before the first.
    let bucket = Locked<Bucket?>(nil)

    init(_ connection: NATSConnection, _ name: String) throws {
      self.connection = connection
      self.name = name
      subject = name.replacing("_", with: ".")
      if connection.options.makesStream { try waitForStream() }
    }

    /// Makes the stream, and asks again while servers that have just started elect a leader.
    private func waitForStream() throws {
      let deadline = ContinuousClock.now + .milliseconds(connection.makingWait)
      while try !makeStream(wait: connection.wait) {
        guard ContinuousClock.now < deadline else {
          throw connection.failure("make the stream \(name)", NATS_TIMEOUT)
        }
        nats_Sleep(50)
      }
    }

    /// Makes the stream; one that is there already stays as it is.
    ///
    /// - Parameter wait: How long to wait for an answer, in milliseconds.
    /// - Returns: Whether it is there now; false when servers have not said so in time.
    /// - Throws: ``NATSError`` when the stream cannot be made.
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
      // Every message has its place by its expectation; nothing is recognised by an identifier.
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
      // Not by the library's options, for which 0 is no expectation.
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
        // The stream is gone or has no leader; it is made only if the servers say that it is gone.
        try makeStream(wait: min(connection.wait, 250))
      }
      // Without a server the answer comes at once, and asking again would keep a processor busy.
      if status != NATS_TIMEOUT { nats_Sleep(50) }
      return .unknown
    }

    /// What servers say when the last message is not the one that was expected.
    private static let wrongLast: Set<UInt32> = [10_071, 10_164]

    func trim(through sequence: UInt64) throws {
      var request = connection.requestOptions()
      // Everything before this one goes.
      request.Stream.Purge.Sequence = sequence + 1
      var code = jsErrCode(0)
      let status = js_PurgeStream(connection.jetStream, name, &request, &code)
      guard status == NATS_OK else { throw connection.failure("trim the stream \(name)", status) }
    }
  }
#endif
