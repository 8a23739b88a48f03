package import SampleLog

/// A sequential reader of a stream, which decides which of its messages are valid.
///
/// After the first message of a newer epoch, messages of older epochs are rejected. A primary that
/// was replaced therefore cannot add to the history, even if the stream accepts its messages. The
/// parts of a large commit are valid once the last one has been read.
package struct HistoryReader {
  private let storeID: Identifier
  /// The stream's sequence number of the last message read.
  package private(set) var cursor: UInt64 = 0
  /// The fingerprint of that message.
  package private(set) var fingerprint: UInt32 = 0
  /// The writer whose messages are valid, or nil before the first message.
  package private(set) var writer: Writer?
  /// The end of the history in the messages read so far.
  package private(set) var end: HistoryPosition?
  /// The last sequence number of commits that were not read although later ones were, or parts of
  /// them; nil if there are none.
  package private(set) var missing: UInt64?
  /// The number of rejected messages.
  package private(set) var rejectedCount = 0
  private var parts: [Message] = []

  package init(storeID: Identifier) { self.storeID = storeID }

  /// Processes the next messages; those after a gap are ignored and must be read again.
  ///
  /// - Parameters:
  ///   - messages: The messages that the stream returned, in any order.
  ///   - body: A function that receives each valid message, assembled from its parts.
  /// - Throws: The errors of the function, ``ReplicationError/anotherStore``, and
  ///   `StoreError.unsupportedVersion`.
  package mutating func take(
    _ messages: [StreamMessage], _ body: (Message) throws -> Void
  ) throws {
    var isFirst = true
    for message in messages.sorted(by: { $0.sequence < $1.sequence })
    where message.sequence > cursor {
      // Messages missing at the front have been removed; those missing in between arrive later.
      guard isFirst || message.sequence == cursor + 1 else { return }
      isFirst = false
      if message.sequence != cursor + 1 { parts = [] }
      let whole = try read(message)
      cursor = message.sequence
      fingerprint = Message.fingerprint(message.bytes)
      if let whole { try body(whole) }
    }
  }

  private mutating func read(_ stored: StreamMessage) throws -> Message? {
    guard let message = try Message(stored.bytes) else { return reject() }
    guard message.writer.storeID == storeID else { throw ReplicationError.anotherStore }
    if let writer, message.writer.epoch != writer.epoch, message.writer.term <= writer.term {
      return reject()
    }
    if writer != message.writer {
      writer = message.writer
      parts = []
      missing = nil
    }
    guard let whole = assemble(message) else { return nil }
    end = whole.after
    if let last = missing, last <= whole.last { missing = nil }
    return whole
  }

  private mutating func reject() -> Message? {
    rejectedCount += 1
    parts = []
    return nil
  }

  /// Adds a part, and returns the message once it is complete.
  private mutating func assemble(_ message: Message) -> Message? {
    if message.parts == 1 { return message }
    if message.part == 0 {
      parts = []
      // The commits before an incomplete message precede it in the history, too.
      let before = message.before.last
      if before > max(end?.last ?? 0, missing ?? 0) { missing = before }
    }
    guard parts.count == Int(message.part), parts.allSatisfy({ $0.isPart(with: message) }) else {
      missing = message.last
      return reject()
    }
    parts.append(message)
    guard parts.count == Int(message.parts) else { return nil }
    var whole = message
    (whole.part, whole.parts) = (0, 1)
    whole.payload = parts.flatMap(\.payload)
    parts = []
    return whole
  }
}

extension Message {
  fileprivate func isPart(with other: Message) -> Bool {
    (first, after, before, epoch, parts, isRebuilt)
      == (other.first, other.after, other.before, other.epoch, other.parts, other.isRebuilt)
  }
}
