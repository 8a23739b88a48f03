import SampleLog
import SampleLogReplication

extension FuzzTarget {
  /// Messages of a stream: header, commits, and the assembly of parts.
  static let message = FuzzTarget(name: "Message", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let isRepaired = input.byte() & 1 != 0
    var content = [UInt8](input.rest)
    if isRepaired { Repair.message(&content) }
    guard let message = try? Message(content) else { return }
    guard (try? Message(message.encoded)) == message else {
      fail("a message does not survive writing")
    }
    if let frames = message.frames() {
      var again: [UInt8] = []
      for frame in frames { frame.encode(into: &again) }
      if StoredFrame.decode(again) != frames { fail("commits do not survive writing") }
    }
    var reader = HistoryReader(storeID: message.writer.storeID)
    let stored = (1...3).map { StreamMessage(sequence: $0, bytes: content) }
    var whole = 0
    try? reader.take(stored) { _ in whole += 1 }
    if whole != (message.parts == 1 ? 3 : 0) { fail("parts are counted that are not there") }
  } seeds: {
    let stored = StoredPayload([UInt8](repeating: 7, count: 40))
    let commit = StoredFrame(
      header: FrameHeader(
        storedLength: stored.bytes.count, rawLength: stored.rawLength, first: 1, count: 3,
        durableThrough: 0, time: 1, payloadChecksum: stored.checksum, salt: 0),
      payload: stored.bytes)
    let message = Message.messages(
      of: LogTail.Commits(
        frames: [commit], epoch: 1,
        before: HistoryPosition(last: 0, chain: HistoryChain(value: 5))),
      writer: Writer(
        storeID: Identifier(high: 1, low: 2), epoch: 1, term: 0, epochFirst: 1),
      floor: 0)
    guard var part = message.first else { return [] }
    let whole = part.encoded
    (part.part, part.parts) = (1, 3)
    return [
      Seed("whole", [0] + whole), Seed("repaired", [1] + whole), Seed("part", [1] + part.encoded),
    ]
  }
}
