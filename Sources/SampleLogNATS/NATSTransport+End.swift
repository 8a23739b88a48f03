#if NATS
  internal import CNATS
  internal import SampleLogReplication

  extension NATSTransport {
    /// Asks the stream's leader how far it has come.
    func end() throws -> UInt64 {
      let text = try answer(
        to: "$JS.API.STREAM.INFO.\(name)", asking: "say its end", wait: connection.wait)
      if Self.number("err_code", in: text) == UInt64(JSStreamNotFoundErr.rawValue) { return 0 }
      guard let end = Self.number("last_seq", in: text) else {
        throw NATSError.refused(operation: "say its end", reason: String(text.prefix(200)))
      }
      return end
    }

    /// Asks a service of the servers until one answers.
    ///
    /// While servers elect a leader nobody answers, and nobody answers later what was asked then.
    /// So the question is repeated four times a second, and whichever answer comes first counts.
    ///
    /// - Parameters:
    ///   - service: The subject of the questions.
    ///   - operation: What it does, for errors.
    ///   - wait: How long to wait, in milliseconds.
    /// - Returns: The first answer, in JSON.
    /// - Throws: ``NATSError/unreachable(server:reason:)`` when no answer has come.
    func answer(to service: String, asking operation: String, wait: Int64) throws -> String {
      try withInbox(operation) { inbox, subscription in
        var wait = wait
        while true {
          var status = natsConnection_PublishRequestString(connection.handle, service, inbox, "")
          var answer: OpaquePointer?
          if status == NATS_OK {
            status = natsSubscription_NextMsg(&answer, subscription, max(1, min(wait, 250)))
          }
          defer { natsMsg_Destroy(answer) }
          wait -= 250
          if status == NATS_TIMEOUT, wait > 0 { continue }
          guard status == NATS_OK else { throw connection.failure(operation, status) }
          let bytes = UnsafeRawBufferPointer(
            start: natsMsg_GetData(answer), count: Int(natsMsg_GetDataLength(answer)))
          return String(decoding: bytes, as: UTF8.self)
        }
      }
    }

    /// The number that a field has in an answer's JSON; nil without one.
    static func number(_ field: String, in text: String) -> UInt64? {
      guard let found = text.firstRange(of: "\"\(field)\":") else { return nil }
      return UInt64(text[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }

    /// Makes a subject of this process's own, which answers come to.
    func withInbox<Result>(
      _ operation: String, _ body: (UnsafePointer<CChar>?, OpaquePointer?) throws -> Result
    ) throws -> Result {
      var inbox: UnsafeMutablePointer<CChar>?
      var subscription: OpaquePointer?
      var status = natsInbox_Create(&inbox)
      defer { natsInbox_Destroy(inbox) }
      if status == NATS_OK {
        status = natsConnection_SubscribeSync(&subscription, connection.handle, inbox)
      }
      // Destroying one that is still subscribed is a fault of the library's.
      defer {
        natsSubscription_Unsubscribe(subscription)
        natsSubscription_Destroy(subscription)
      }
      guard status == NATS_OK else { throw connection.failure(operation, status) }
      return try body(inbox, subscription)
    }
  }
#endif
