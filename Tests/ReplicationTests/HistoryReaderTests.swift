import SampleLog
import Testing

@testable import SampleLogReplication

/// The rules by which a reader accepts the messages of a stream, message by message.
@Suite struct HistoryReaderTests {
  private static let storeID = Identifier(high: 1, low: 2)
  private let old = Writer(storeID: storeID, epoch: 50, term: 2, epochFirst: 1)
  private let new = Writer(storeID: storeID, epoch: 7, term: 3, epochFirst: 4)

  /// A reader with the messages that it has accepted.
  private final class Reading {
    var reader = HistoryReader(storeID: HistoryReaderTests.storeID)
    var accepted: [Message] = []

    func take(_ messages: [StreamMessage]) throws {
      var found: [Message] = []
      try reader.take(messages) { found.append($0) }
      accepted += found
    }

    /// Takes the next message, and returns whether it was accepted.
    func accepts(_ message: Message) throws -> Bool {
      let count = accepted.count
      try take([StreamMessage(sequence: reader.cursor + 1, bytes: message.encoded)])
      return accepted.count > count
    }
  }

  private static func position(_ last: UInt64) -> HistoryPosition {
    HistoryPosition(last: last, chain: HistoryChain(value: UInt32(last) * 3))
  }

  private func message(
    _ range: ClosedRange<UInt64>, by writer: Writer, part: UInt32 = 0, of parts: UInt32 = 1
  ) -> Message {
    Message(
      writer: writer, epoch: writer.epoch, first: range.lowerBound,
      before: Self.position(range.lowerBound - 1), after: Self.position(range.upperBound), floor: 0,
      part: part, parts: parts, payload: [UInt8(range.lowerBound), UInt8(part)])
  }

  private func stored(_ sequences: ClosedRange<UInt64>) -> [StreamMessage] {
    sequences.map { StreamMessage(sequence: $0, bytes: message($0...$0, by: old).encoded) }
  }

  // MARK: Fencing

  @Test func `Only a greater term replaces a writer, whatever the numbers of the epochs`() throws {
    for (epoch, term, isAccepted) in [
      (UInt32(50), UInt32(2), true), (51, 2, false), (49, 2, false), (51, 1, false),
      (49, 1, false), (51, 3, true), (49, 3, true), (1, 9, true),
    ] {
      let reading = Reading()
      #expect(try reading.accepts(message(1...3, by: old)))
      var other = old
      (other.epoch, other.term) = (epoch, term)
      let next = message(4...4, by: other)
      #expect(try reading.accepts(next) == isAccepted, "epoch \(epoch) of term \(term)")
      #expect(reading.reader.writer == (isAccepted ? other : old))
      #expect(reading.reader.end == Self.position(isAccepted ? 4 : 3))
      #expect(reading.reader.rejectedCount == (isAccepted ? 0 : 1))
      // A rejected message was read nevertheless.
      #expect(reading.reader.cursor == 2)
      #expect(reading.reader.fingerprint == Message.fingerprint(next.encoded))
      #expect(try reading.accepts(message(4...5, by: isAccepted ? other : old)))
    }
  }

  @Test func `A replaced writer is rejected for ever, also between messages of the next`() throws {
    let reading = Reading()
    #expect(try reading.accepts(message(1...3, by: old)))
    #expect(try reading.accepts(message(4...4, by: new)))
    for number in 5..<8 as Range<UInt64> {
      #expect(try !reading.accepts(message(4...number, by: old)))
      #expect(try reading.accepts(message(number...number, by: new)))
    }
    #expect(reading.reader.end == Self.position(7) && reading.reader.rejectedCount == 3)
    #expect(reading.accepted.map(\.last) == [3, 4, 5, 6, 7])
  }

  @Test func `A message of another store is an error and is not counted as read`() throws {
    let reading = Reading()
    #expect(try reading.accepts(message(1...1, by: old)))
    var other = old
    other.storeID = Identifier(high: 1, low: 3)
    let foreign = message(2...2, by: other)
    #expect(throws: ReplicationError.anotherStore) { try reading.accepts(foreign) }
    #expect(reading.reader.cursor == 1 && reading.reader.rejectedCount == 0)
    #expect(try reading.accepts(message(2...2, by: old)))
  }

  // MARK: Parts

  @Test func `Parts are accepted together, with the payloads in order`() throws {
    let reading = Reading()
    for part in 0..<2 as Range<UInt32> {
      #expect(try !reading.accepts(message(1...3, by: old, part: part, of: 3)))
      #expect(reading.reader.end == nil)
    }
    #expect(try reading.accepts(message(1...3, by: old, part: 2, of: 3)))
    #expect(reading.accepted.map(\.payload) == [[1, 0, 1, 1, 1, 2]])
    #expect(reading.accepted.map(\.parts) == [1] && reading.accepted.map(\.part) == [0])
    #expect(reading.reader.end == Self.position(3) && reading.reader.rejectedCount == 0)
    #expect(try reading.accepts(message(4...4, by: old)))
  }

  @Test func `Parts that begin again replace the earlier ones`() throws {
    let reading = Reading()
    for part in 0..<2 as Range<UInt32> {
      #expect(try !reading.accepts(message(1...3, by: old, part: part, of: 3)))
    }
    // The writer continues with other limits, as after a restart.
    #expect(try !reading.accepts(message(1...2, by: old, part: 0, of: 2)))
    #expect(try reading.accepts(message(1...2, by: old, part: 1, of: 2)))
    #expect(reading.accepted.map(\.payload) == [[1, 0, 1, 1]])
    #expect(reading.reader.rejectedCount == 0)
  }

  @Test func `A repeated message of one part between two parts invalidates neither`() throws {
    let reading = Reading()
    #expect(try reading.accepts(message(1...1, by: old)))
    #expect(try !reading.accepts(message(2...3, by: old, part: 0, of: 2)))
    #expect(try reading.accepts(message(1...1, by: old)))
    #expect(try reading.accepts(message(2...3, by: old, part: 1, of: 2)))
    #expect(reading.reader.rejectedCount == 0)
  }

  @Test func `A rejected or damaged message between parts invalidates them`() throws {
    let between: [StreamMessage] = [
      StreamMessage(sequence: 3, bytes: message(4...4, by: old).encoded),
      StreamMessage(sequence: 3, bytes: [1, 2, 3]),
    ]
    for one in between {
      let reading = Reading()
      #expect(try reading.accepts(message(4...4, by: new)))
      #expect(try !reading.accepts(message(5...6, by: new, part: 0, of: 2)))
      try reading.take([one])
      #expect(reading.reader.cursor == 3 && reading.reader.rejectedCount == 1)
      #expect(try !reading.accepts(message(5...6, by: new, part: 1, of: 2)))
      #expect(reading.reader.missing == 6 && reading.reader.rejectedCount == 2)
    }
  }

  @Test func `A new writer does not complete the parts of the one that it replaces`() throws {
    for change in [\Writer.epoch, \Writer.term] {
      let reading = Reading()
      #expect(try !reading.accepts(message(1...2, by: old, part: 0, of: 2)))
      var next = old
      next.term += 1
      next[keyPath: change] += 1
      var last = message(1...2, by: next, part: 1, of: 2)
      last.epoch = old.epoch
      #expect(try !reading.accepts(last))
      #expect(reading.reader.writer == next && reading.reader.missing == 2)
    }
  }

  @Test func `Parts of different messages are not joined`() throws {
    let changes: [(inout Message) -> Void] = [
      { $0.first = 2 }, { $0.after.last = 4 },
      { $0.after.chain = HistoryChain(value: 1) },
      { $0.before.chain = HistoryChain(value: 2) }, { $0.epoch = 1 }, { $0.parts = 3 },
      { $0.isRebuilt = true },
    ]
    for (number, change) in changes.enumerated() {
      let reading = Reading()
      #expect(try !reading.accepts(message(1...3, by: old, part: 0, of: 2)))
      var last = message(1...3, by: old, part: 1, of: 2)
      change(&last)
      #expect(try !reading.accepts(last), "change \(number)")
      #expect(reading.reader.rejectedCount == 1 && reading.reader.missing == last.last)
      #expect(reading.reader.end == nil)
    }
  }

  @Test func `Commits whose first part is missing are reported until they are read`() throws {
    let reading = Reading()
    #expect(try !reading.accepts(message(1...6, by: old, part: 1, of: 2)))
    #expect(reading.reader.missing == 6 && reading.reader.rejectedCount == 1)
    #expect(try reading.accepts(message(1...5, by: old)))
    #expect(reading.reader.missing == 6)
    #expect(try reading.accepts(message(6...6, by: old)))
    #expect(reading.reader.missing == nil)
    // Another epoch need not have them.
    #expect(try !reading.accepts(message(7...9, by: old, part: 1, of: 2)))
    #expect(reading.reader.missing == 9)
    #expect(try reading.accepts(message(4...4, by: new)))
    #expect(reading.reader.missing == nil)
  }

  @Test func `Commits before the first part of a message are reported until they are read`() throws
  {
    let reading = Reading()
    #expect(try !reading.accepts(message(5...8, by: old, part: 0, of: 2)))
    #expect(reading.reader.missing == 4 && reading.reader.rejectedCount == 0)
    #expect(try reading.accepts(message(5...8, by: old, part: 1, of: 2)))
    #expect(reading.reader.missing == nil)
    // They were read before the next message.
    #expect(try !reading.accepts(message(9...12, by: old, part: 0, of: 2)))
    #expect(reading.reader.missing == nil)
  }

  // MARK: Answers of the stream

  @Test func `An answer is read in order up to its first gap, without what was read before`() throws
  {
    let reading = Reading()
    let all = stored(1...9)
    try reading.take([all[2], all[0], all[1], all[1]])
    #expect(reading.reader.cursor == 3)
    #expect(reading.accepted.map(\.last) == [1, 2, 3])
    try reading.take([all[5], all[1], all[3], all[4], all[2], all[7]])
    #expect(reading.reader.cursor == 6)
    #expect(reading.accepted.map(\.last) == [1, 2, 3, 4, 5, 6])
    try reading.take(Array(all[..<6]))
    #expect(reading.accepted.count == 6 && reading.reader.rejectedCount == 0)
  }

  @Test func `Messages that the stream has removed are passed over, parts included`() throws {
    let reading = Reading()
    try reading.take(stored(4...5))
    #expect(reading.reader.cursor == 5 && reading.accepted.map(\.last) == [4, 5])
    #expect(try !reading.accepts(message(6...8, by: old, part: 0, of: 2)))
    let last = message(6...8, by: old, part: 1, of: 2)
    // The part may belong to a repetition whose first part was removed.
    try reading.take([StreamMessage(sequence: 8, bytes: last.encoded)])
    #expect(reading.reader.cursor == 8 && reading.reader.missing == 8)
    #expect(reading.accepted.map(\.last) == [4, 5])
  }
}
