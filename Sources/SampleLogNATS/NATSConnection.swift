#if NATS
  internal import CNATS
  internal import SampleLog

  /// A connection to one of several servers.
  ///
  /// It reconnects automatically.
  ///
  /// The library synchronises its own state, and the properties here are immutable.
  final class NATSConnection: @unchecked Sendable {
    let options: NATSOptions
    let handle: OpaquePointer
    let jetStream: OpaquePointer

    init(_ options: NATSOptions) throws {
      var options = options
      options.readSecret = try options.credentials.readSecret()
      self.options = options
      var settings: OpaquePointer?
      var connection: OpaquePointer?
      var context: OpaquePointer?
      defer { natsOptions_Destroy(settings) }
      var status = natsOptions_Create(&settings)
      if status == NATS_OK { status = Self.set(options.servers, settings) }
      if status == NATS_OK { status = try options.secure(settings) }
      if status == NATS_OK { status = natsOptions_SetTimeout(settings, 2000) }
      if status == NATS_OK { status = natsOptions_SetMaxReconnect(settings, -1) }
      if status == NATS_OK { status = natsOptions_SetReconnectWait(settings, 50) }
      if status == NATS_OK { status = natsOptions_SetReconnectJitter(settings, 50, 50) }
      // Pings detect within seconds that a server stopped without closing its connections.
      if status == NATS_OK { status = natsOptions_SetPingInterval(settings, 2000) }
      if status == NATS_OK { status = natsOptions_SetFailRequestsOnDisconnect(settings, true) }
      if status == NATS_OK { status = natsConnection_Connect(&connection, settings) }
      guard status == NATS_OK, let connection else {
        throw options.error(status, status.reason)
      }
      var request = options.request
      status = natsConnection_JetStream(&context, connection, &request)
      guard status == NATS_OK, let context else {
        natsConnection_Destroy(connection)
        throw NATSError.refused(operation: "use JetStream", reason: status.reason)
      }
      handle = connection
      jetStream = context
    }

    private static func set(_ servers: [String], _ settings: OpaquePointer?) -> natsStatus {
      // One buffer of NUL-terminated addresses, and a pointer to each of them.
      let bytes = servers.flatMap { $0.utf8CString }
      return bytes.withUnsafeBufferPointer { bytes in
        var offset = 0
        var pointers = servers.map { server -> UnsafePointer<CChar>? in
          defer { offset += server.utf8.count + 1 }
          return bytes.baseAddress.map { $0 + offset }
        }
        return natsOptions_SetServers(settings, &pointers, Int32(pointers.count))
      }
    }

    deinit {
      jsCtx_Destroy(jetStream)
      natsConnection_Close(handle)
      natsConnection_Destroy(handle)
    }

    /// The timeout of a request, in milliseconds.
    var wait: Int64 { options.wait }

    /// The timeout for creating a stream, in milliseconds.
    var makingWait: Int64 { 5 * wait }

    /// Returns request options with the timeout set.
    func requestOptions() -> jsOptions { options.request }

    func failure(_ operation: String, _ status: natsStatus) -> NATSError {
      // The library reports a timeout if the server does not permit a subject.
      if let refusal = refusal ?? denial(operation) { return refusal }
      let reason = options.redacted(status.reason)
      return status.isRefusal
        ? .refused(operation: operation, reason: reason)
        : .unreachable(server: options.address, reason: reason)
    }
  }

  extension NATSOptions {
    /// The timeout of a request, in milliseconds.
    fileprivate var wait: Int64 { max(1, Int64(answerTimeout * 1000)) }

    /// Request options with the timeout set.
    fileprivate var request: jsOptions {
      var request = jsOptions()
      jsOptions_Init(&request)
      request.Wait = wait
      return request
    }
  }

  extension natsStatus {
    /// The library's message about the last call on this thread, as part of a sentence.
    var reason: String {
      // The message may be that of an earlier call.
      var last = NATS_OK
      let text = nats_GetLastError(&last).map { String(cString: $0) } ?? ""
      return text.isEmpty || last != self ? String(cString: natsStatus_GetText(self)) : text
    }

    /// Whether a server has answered and refused the request.
    var isRefusal: Bool { self == NATS_ERR || self == NATS_NOT_PERMITTED }
  }
#endif
