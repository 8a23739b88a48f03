package import SampleLog

/// The copy of a store that publishes, and its claim to be the primary.
package struct Writer: Hashable, Sendable {
  package var storeID: Identifier
  /// The epoch of the copy.
  package var epoch: UInt32
  /// The number of earlier epochs; of two writers, the one with the greater term prevails.
  package var term: UInt32
  /// The sequence number with which the epoch began.
  package var epochFirst: UInt64

  package init(storeID: Identifier, epoch: UInt32, term: UInt32, epochFirst: UInt64) {
    self.storeID = storeID
    self.epoch = epoch
    self.term = term
    self.epochFirst = epochFirst
  }
}

/// A message in the stream: whole commits, or a part of a large one.
package struct Message: Equatable, Sendable {
  package static let headerSize = 120
  package static let version: UInt32 = 1
  /// The version of messages with rebuilt frames, which earlier releases cannot apply.
  private static let rebuiltVersion: UInt32 = 2
  private static let magic: UInt64 = 0x0A01_4C50_4552_5348  // "HSREPL", 1, line feed
  /// The maximum size of a payload, in bytes.
  package static let payloadLimit = 512 << 10

  package var writer: Writer
  /// The epoch of the commits: the writer's, or an earlier one that the writer publishes again.
  package var epoch: UInt32
  /// The first sequence number of the commits.
  package var first: UInt64
  /// The position in the history before the commits.
  package var before: HistoryPosition
  /// The position in the history after the commits.
  package var after: HistoryPosition
  /// The primary's floor at the time of publishing.
  package var floor: UInt64
  /// The index of this part, in `0 ..< parts`.
  package var part: UInt32 = 0
  /// The number of parts.
  package var parts: UInt32 = 1
  /// Whether the frames were rebuilt from segments.
  ///
  /// The chain of rebuilt frames does not lead to ``after``, and replicas apply them atomically.
  package var isRebuilt = false
  /// The frames of the commits, or a part of their bytes.
  package var payload: [UInt8]

  package var last: UInt64 { after.last }

  /// Returns the messages for commits: one, or several parts if the payload exceeds the limit.
  package static func messages(
    of commits: LogTail.Commits, writer: Writer, floor: UInt64, limit: Int = payloadLimit
  ) -> [Message] {
    guard let first = commits.frames.first else { return [] }
    var payload: [UInt8] = []
    var after = commits.before
    for frame in commits.frames {
      frame.encode(into: &payload)
      after.last = frame.last
      after.chain.append(frame.header)
    }
    let whole = Message(
      writer: writer, epoch: commits.epoch, first: first.first, before: commits.before,
      after: commits.rebuilt ?? after, floor: floor, isRebuilt: commits.rebuilt != nil,
      payload: payload)
    let parts = (payload.count + limit - 1) / limit
    return (0..<parts).map { part in
      var message = whole
      message.part = UInt32(part)
      message.parts = UInt32(parts)
      message.payload = Array(payload[(part * limit)..<min((part + 1) * limit, payload.count)])
      return message
    }
  }

}

extension Message {
  package var encoded: [UInt8] {
    var bytes = ByteWriter(reserving: Self.headerSize + payload.count)
    bytes.fixed(Self.magic)
    bytes.fixed(isRebuilt ? Self.rebuiltVersion : Self.version)
    bytes.fixed(writer.epoch)
    bytes.fixed(writer.storeID.high)
    bytes.fixed(writer.storeID.low)
    bytes.fixed(writer.term)
    bytes.fixed(epoch)
    bytes.fixed(writer.epochFirst)
    bytes.fixed(first)
    bytes.fixed(after.last)
    bytes.fixed(before.last)
    bytes.fixed(before.chain.value)
    bytes.fixed(after.chain.value)
    bytes.fixed(floor)
    bytes.fixed(part)
    bytes.fixed(parts)
    bytes.fixed(UInt64(payload.count))
    bytes.pad(toMultipleOf: Self.headerSize - 8)
    bytes.fixed(checksum(payload))
    bytes.fixed(checksum(bytes.bytes))
    bytes.append(payload)
    return bytes.bytes
  }

  /// Decodes a message.
  ///
  /// - Returns: nil if the bytes are damaged or not a message.
  /// - Throws: `StoreError.unsupportedVersion`.
  package init?(_ bytes: [UInt8]) throws {
    guard bytes.count >= Self.headerSize else { return nil }
    let head = Array(bytes[..<(Self.headerSize - 4)])
    var fields = HeaderFields(bytes)
    guard fields.word() == Self.magic else { return nil }
    let version = fields.half()
    let epoch = fields.half()
    let storeID = Identifier(high: fields.word(), low: fields.word())
    let term = fields.half()
    self.epoch = fields.half()
    writer = Writer(storeID: storeID, epoch: epoch, term: term, epochFirst: fields.word())
    first = fields.word()
    let (last, previous) = (fields.word(), fields.word())
    before = HistoryPosition(last: previous, chain: HistoryChain(value: fields.half()))
    after = HistoryPosition(last: last, chain: HistoryChain(value: fields.half()))
    floor = fields.word()
    part = fields.half()
    parts = fields.half()
    let length = fields.word()
    var checksums = HeaderFields(Array(bytes[(Self.headerSize - 8)..<Self.headerSize]))
    let payloadChecksum = checksums.half()
    guard checksums.half() == checksum(head) else { return nil }
    guard version == Self.version || version == Self.rebuiltVersion else {
      throw StoreError.unsupportedVersion(file: "a message of the stream", version: Int(version))
    }
    isRebuilt = version == Self.rebuiltVersion
    payload = Array(bytes[Self.headerSize...])
    guard UInt64(payload.count) == length, checksum(payload) == payloadChecksum, part < parts,
      before.last < first, first <= last
    else { return nil }
  }

  /// Returns a checksum that identifies a message.
  ///
  /// It excludes the header's own checksum, because the CRC over bytes followed by their CRC is
  /// constant.
  package static func fingerprint(_ bytes: [UInt8]) -> UInt32 {
    checksum(Array(bytes.prefix(headerSize - 4)))
  }

  /// Returns the frames of a whole message, or nil if they do not match the header.
  package func frames() -> [StoredFrame]? {
    guard let frames = StoredFrame.decode(payload), frames.first?.first == first else { return nil }
    var position = before
    for frame in frames {
      guard frame.first > position.last else { return nil }
      position.last = frame.last
      position.chain.append(frame.header)
    }
    // The chain of rebuilt frames differs from that of the commits that they replace.
    if isRebuilt { position.chain = after.chain }
    return position == after ? frames : nil
  }
}
