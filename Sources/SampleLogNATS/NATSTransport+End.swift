#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  extension NATSTransport {
    /// Returns the last sequence number of the stream, as reported by its leader.
    func end() throws -> UInt64 {
      let text = try answer(
        to: "$JS.API.STREAM.INFO.\(name)", asking: "report its end", wait: connection.wait)
      let isMissing = Self.number("err_code", in: text) == UInt64(JSStreamNotFoundErr.rawValue)
      guard let end = isMissing ? 0 : Self.number("last_seq", in: text) else {
        throw NATSError.refused(operation: "report its end", reason: String(text.prefix(200)))
      }
      reportedEnd.withLock { $0 = end }
      return end
    }

    /// Sends a request to a service of the servers until one of them responds.
    ///
    /// While the servers elect a leader, requests are lost. The request is therefore repeated after
    /// 250 ms, and then after twice as long each time, because a late response is not used.
    ///
    /// - Parameters:
    ///   - service: The subject of the request.
    ///   - operation: The description of the operation, for errors.
    ///   - wait: The timeout, in milliseconds.
    /// - Returns: The response, in JSON.
    /// - Throws: ``NATSError/unreachable(server:reason:)`` on a timeout.
    func answer(to service: String, asking operation: String, wait: Int64) throws -> String {
      var (wait, next) = (wait, Int64(250))
      while true {
        var answer: OpaquePointer?
        let status = natsConnection_RequestString(
          &answer, connection.handle, service, "", max(1, min(wait, next)))
        defer { natsMsg_Destroy(answer) }
        wait -= next
        next *= 2
        if status == NATS_TIMEOUT, wait > 0 { continue }
        guard status == NATS_OK else { throw connection.failure(operation, status) }
        let bytes = UnsafeRawBufferPointer(
          start: natsMsg_GetData(answer), count: Int(natsMsg_GetDataLength(answer)))
        return String(decoding: bytes, as: UTF8.self)
      }
    }

    /// Returns the number in a field of a JSON response, or nil if there is none.
    static func number(_ field: String, in text: String) -> UInt64? {
      guard let found = text.firstRange(of: "\"\(field)\":") else { return nil }
      return UInt64(text[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
  }
#endif
