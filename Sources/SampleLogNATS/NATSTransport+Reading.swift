#if NATS
  internal import CNATS
  internal import SampleLog
  internal import SampleLogReplication

  /// Reads messages from the stream, several in parallel.
  extension NATSTransport {
    func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
      let subject = subject
      let sequence = max(sequence, 1)
      // Requests the first existing message at or after the requested sequence number.
      let next = #"{"seq":\#(sequence),"next_by_subj":"\#(subject)"}"#
      var nearest = try get(next)
      if nearest.map({ $0.sequence > sequence }) ?? (sequence <= reportedEnd.withLock { $0 }),
        let found = try getFromLeader(sequence)
      {
        nearest = found
      }
      guard let first = nearest else {
        window.withLock { $0 = 1 }
        return []
      }
      let start = first.sequence
      let count = min(limit - 1, window.withLock { $0 })
      guard count > 0 else { return [first] }
      let rest = try get((1...UInt64(count)).map { #"{"seq":\#(start + $0)}"# })
      // Double the window while all requested messages exist; otherwise shrink it to what was
      // found.
      window.withLock { $0 = rest.count < count ? rest.count + 1 : min(2 * count, 256) }
      var messages = [first]
      for message in rest.sorted(by: { $0.sequence < $1.sequence }) {
        guard message.sequence == start + UInt64(messages.count) else { break }
        messages.append(message)
      }
      return messages
    }

    private var service: String { "$JS.API.DIRECT.GET.\(name)" }

    /// Requests one message; returns nil if it does not exist.
    private func get(_ request: String) throws -> StreamMessage? {
      var answer: OpaquePointer?
      let status = natsConnection_RequestString(
        &answer, connection.handle, service, request, connection.wait)
      defer { natsMsg_Destroy(answer) }
      // If the stream does not exist yet, no server responds.
      if status == NATS_NO_RESPONDERS { return nil }
      guard status == NATS_OK, let answer else {
        throw connection.failure("read from it", status)
      }
      return Self.message(answer)
    }

    /// Requests one message from the stream's leader; returns nil if the leader does not have it.
    ///
    /// Any server with a copy of the stream responds to the other requests. After a partition, it
    /// may lack the newest messages. One that has lost its files may have only later messages
    /// afterwards (nats-server 2.9.10), so a gap in its responses does not prove that the stream
    /// has one.
    private func getFromLeader(_ sequence: UInt64) throws -> StreamMessage? {
      var message: OpaquePointer?
      let status = js_GetMsg(&message, connection.jetStream, name, sequence, nil, nil)
      defer { natsMsg_Destroy(message) }
      if status == NATS_NOT_FOUND { return nil }
      guard status == NATS_OK, let message else {
        throw connection.failure("read from its leader", status)
      }
      return StreamMessage(sequence: sequence, bytes: Self.bytes(message))
    }

    private static func bytes(_ message: OpaquePointer) -> [UInt8] {
      [UInt8](
        UnsafeRawBufferPointer(
          start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message))))
    }

    /// Requests messages in parallel and returns those that exist, in any order.
    private func get(_ requests: [String]) throws -> [StreamMessage] {
      try withInbox { try get(requests, to: $0, $1) }
    }

    private func get(
      _ requests: [String], to inbox: UnsafePointer<CChar>?, _ subscription: OpaquePointer?
    ) throws -> [StreamMessage] {
      var status = natsSubscription_SetPendingLimits(subscription, -1, -1)
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
      // If the stream does not exist yet, no server responds.
      if status == NATS_NO_RESPONDERS { return [] }
      guard status == NATS_OK else { throw connection.failure("read from it", status) }
      return messages
    }

    /// Creates a unique subject for responses, and subscribes to it during the call of a function.
    private func withInbox<Result>(
      _ body: (UnsafePointer<CChar>?, OpaquePointer?) throws -> Result
    ) throws -> Result {
      var inbox: UnsafeMutablePointer<CChar>?
      var subscription: OpaquePointer?
      var status = natsInbox_Create(&inbox)
      defer { natsInbox_Destroy(inbox) }
      if status == NATS_OK {
        status = natsConnection_SubscribeSync(&subscription, connection.handle, inbox)
      }
      // Unsubscribe first: the library mishandles destroying an active subscription.
      defer {
        natsSubscription_Unsubscribe(subscription)
        natsSubscription_Destroy(subscription)
      }
      guard status == NATS_OK else { throw connection.failure("read from it", status) }
      return try body(inbox, subscription)
    }

    /// Returns the message in a response, or nil if the response reports that there is none.
    private static func message(_ answer: OpaquePointer) -> StreamMessage? {
      var text: UnsafePointer<CChar>?
      guard natsMsgHeader_Get(answer, "Nats-Sequence", &text) == NATS_OK, let text,
        let sequence = UInt64(String(cString: text))
      else { return nil }
      return StreamMessage(sequence: sequence, bytes: bytes(answer))
    }
  }
#endif
