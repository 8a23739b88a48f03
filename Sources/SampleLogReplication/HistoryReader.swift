package import SampleLog

/// Reads a stream in order and says which of its messages count.
///
/// Behind the first message of a newer epoch nothing of an older one counts, so that a primary
/// which was replaced cannot add anything even where the stream accepts it. Parts of a large commit
/// count once the last is there.
package struct HistoryReader {
  private let storeID: Identifier
  /// The sequence number in the stream of the last message read.
  package private(set) var cursor: UInt64 = 0
  /// What tells that message from others.
  package private(set) var fingerprint: UInt32 = 0
  /// The writer whose messages count; nil before the first.
  package private(set) var writer: Writer?
  /// Where the history ends by what was read.
  package private(set) var end: HistoryPosition?
  /// The last sequence number of commits of which only later parts were read; nil when there are
  /// none.
  package private(set) var missing: UInt64?
  /// Messages that did not count.
  package private(set) var voidCount = 0
  private var parts: [Message] = []

  package init(storeID: Identifier) { self.storeID = storeID }

  /// Reads the next messages; those behind a gap are left to be read again.
  ///
  /// - Parameters:
  ///   - messages: What the stream answered, in any order.
  ///   - body: Takes each message that counts, whole.
  /// - Throws: What the function throws, ``ReplicationError/anotherStore``, and
  ///   `StoreError.unsupportedVersion`.
  package mutating func take(
    _ messages: [StreamMessage], _ body: (Message) throws -> Void
  ) throws {
    var isFirst = true
    for message in messages.sorted(by: { $0.sequence < $1.sequence })
    where message.sequence > cursor {
      // What is missing at the front is gone; between two messages it only comes later.
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
    guard let message = try Message(stored.bytes) else { return void() }
    guard message.writer.storeID == storeID else { throw ReplicationError.anotherStore }
    if let writer, message.writer.epoch != writer.epoch, message.writer.term <= writer.term {
      return void()
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

  private mutating func void() -> Message? {
    voidCount += 1
    parts = []
    return nil
  }

  /// Adds a part; returns the message once it is whole.
  private mutating func assemble(_ message: Message) -> Message? {
    if message.parts == 1 { return message }
    if message.part == 0 { parts = [] }
    guard parts.count == Int(message.part), parts.allSatisfy({ $0.isPart(with: message) }) else {
      missing = message.last
      return void()
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
