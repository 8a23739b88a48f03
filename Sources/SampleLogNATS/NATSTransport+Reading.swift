#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  extension NATSTransport {
    func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
      let subject = subject
      // The first one that is there, from the wanted one on.
      let first = try get([#"{"seq":\#(max(sequence, 1)),"next_by_subj":"\#(subject)"}"#])
      guard let start = first.first?.sequence else {
        window.withLock { $0 = 1 }
        return []
      }
      let count = min(limit - 1, window.withLock { $0 })
      guard count > 0 else { return first }
      let rest = try get((1...UInt64(count)).map { #"{"seq":\#(start + $0)}"# })
      // As many again as there were, as long as all that were asked for are there.
      window.withLock { $0 = rest.count < count ? rest.count + 1 : min(2 * count, 256) }
      var messages = first
      for message in rest.sorted(by: { $0.sequence < $1.sequence }) {
        guard message.sequence == start + UInt64(messages.count) else { break }
        messages.append(message)
      }
      return messages
    }

    /// Asks for messages, all at once, and returns those that are there, in any order.
    private func get(_ requests: [String]) throws -> [StreamMessage] {
      try withInbox("read from it") { try get(requests, to: $0, $1) }
    }

    private func get(
      _ requests: [String], to inbox: UnsafePointer<CChar>?, _ subscription: OpaquePointer?
    ) throws -> [StreamMessage] {
      var status = natsSubscription_SetPendingLimits(subscription, -1, -1)
      let service = "$JS.API.DIRECT.GET.\(name)"
      for request in requests where status == NATS_OK {
        status = natsConnection_PublishRequestString(connection.handle, service, inbox, request)
      }
      var messages: [StreamMessage] = []
      for _ in requests where status == NATS_OK {
        var answer: OpaquePointer?
        status = natsSubscription_NextMsg(&answer, subscription, connection.wait)
        defer { natsMsg_Destroy(answer) }
        if status == NATS_OK, let answer, let message = Self.message(answer) {
          messages.append(message)
        }
      }
      // Nobody answers where there is no stream yet.
      if status == NATS_NO_RESPONDERS { return [] }
      guard status == NATS_OK else { throw connection.failure("read from it", status) }
      return messages
    }

    /// The message in an answer; nil where the answer says that there is none.
    private static func message(_ answer: OpaquePointer) -> StreamMessage? {
      var text: UnsafePointer<CChar>?
      guard natsMsgHeader_Get(answer, "Nats-Sequence", &text) == NATS_OK, let text,
        let sequence = UInt64(String(cString: text))
      else { return nil }
      let bytes = UnsafeRawBufferPointer(
        start: natsMsg_GetData(answer), count: Int(natsMsg_GetDataLength(answer)))
      return StreamMessage(sequence: sequence, bytes: [UInt8](bytes))
    }
  }
#endif
