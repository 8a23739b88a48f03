/// Bytes of a log that should have been a frame and are not.
public struct Damage: Hashable, Sendable {
  /// The file's name within the store's directory.
  public var file: String
  /// The first byte concerned.
  public var offset: Int
  /// What is wrong.
  public var reason: String

  /// Creates a report of damage.
  public init(file: String, offset: Int, reason: String) {
    self.file = file
    self.offset = offset
    self.reason = reason
  }
}

/// The part of a log that counts, readable also when its name is gone.
struct LogExtent: Sendable {
  let file: any File
  let name: String
  var end: LogEnd
}

/// Damage between two good frames.
struct LogGap {
  var bytes: Range<Int>
  /// The last sequence number before it.
  var after: UInt64
  /// The first one behind it.
  var before: UInt64
}

/// Reads a log from its start: frames, then where they end and what is wrong with them.
struct LogReader {
  let file: any File
  let name: String
  let header: LogHeader
  /// The byte after the last good frame read.
  private(set) var end: LogEnd
  private(set) var damages: [Damage] = []
  private(set) var gaps: [LogGap] = []

  /// Takes a header that cannot be read from the file.
  init(file: any File, name: String, header: LogHeader) {
    self.file = file
    self.name = name
    self.header = header
    end = LogEnd(
      first: header.first, last: header.first - 1, length: UInt64(LogHeader.size), chain: 0)
  }

  init(file: any File, name: String) throws {
    guard let bytes = try file.bytes(LogHeader.size, at: 0) else {
      throw StoreError.damaged(file: name, offset: 0, reason: "the file is shorter than its header")
    }
    self.init(file: file, name: name, header: try LogHeader(bytes, file: name))
  }

  /// Reads the frames after ``end`` and moves it.
  ///
  /// - Parameters:
  ///   - limit: Where the log's successor says this one ends; nil for the newest log.
  ///   - body: Takes each good frame's header and decompressed payload; returns false when the
  ///     payload makes no sense.
  /// - Throws: What `body` throws, or an error of the operating system.
  mutating func read(
    limit: LogEnd?, _ body: (FrameHeader, [UInt8]) throws -> Bool
  ) throws {
    let start = Int(end.length)
    let size = try limit.map { Int($0.length) } ?? file.size()
    guard size > start else { return try checkEnd(limit) }
    let bytes = try file.bytes(min(size, file.size()) - start, at: start) ?? []
    try bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        if let frame = goodFrame(rest), frame.header.first > end.last,
          try body(frame.header, frame.payload)
        {
          offset += frame.header.frameLength
          end.length = UInt64(start + offset)
          end.last = frame.header.last
          end.chain = checksum(
            UnsafeRawBufferPointer(rebasing: rest[..<FrameHeader.size]), end.chain)
          continue
        }
        guard let next = nextGoodFrame(buffer, after: offset, limit: limit) else { break }
        damages.append(
          Damage(
            file: name, offset: start + offset,
            reason: "\(next - offset) bytes before a good frame are not a frame"))
        let following = goodFrame(UnsafeRawBufferPointer(rebasing: buffer[next...]))
        gaps.append(
          LogGap(
            bytes: start + offset..<start + next, after: end.last,
            before: following?.header.first ?? end.last + 1))
        offset = next
      }
    }
    try checkEnd(limit)
  }

  /// A log with a successor must reach the end that the successor states.
  private mutating func checkEnd(_ limit: LogEnd?) throws {
    guard let limit, damages.isEmpty else { return }
    if end.last != limit.last || end.length != limit.length || end.chain != limit.chain {
      damages.append(
        Damage(
          file: name, offset: Int(end.length),
          reason: "the log ends at sequence number \(end.last), "
            + "its successor says at \(limit.last)"))
    }
  }

  private func goodFrame(
    _ bytes: UnsafeRawBufferPointer
  ) -> (header: FrameHeader, payload: [UInt8])? {
    guard let frame = FrameHeader(bytes, salt: header.salt), frame.frameLength <= bytes.count
    else { return nil }
    let stored = UnsafeRawBufferPointer(
      rebasing: bytes[FrameHeader.size..<FrameHeader.size + frame.storedLength])
    let padding = bytes[(FrameHeader.size + frame.storedLength)..<frame.frameLength]
    guard padding.allSatisfy({ $0 == 0 }), let raw = StoredPayload.raw(stored, header: frame)
    else { return nil }
    return (frame, raw)
  }

  /// Finds a frame behind damage that proves the damaged bytes had been acknowledged.
  ///
  /// In the newest log a frame whose writer did not yet know the damaged place to be durable
  /// proves nothing: both belong to one torn write and are cut.
  private func nextGoodFrame(
    _ buffer: UnsafeRawBufferPointer, after damaged: Int, limit: LogEnd?
  ) -> Int? {
    var offset = damaged + 8
    while offset + FrameHeader.size <= buffer.count {
      let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
      if word == FrameHeader.magic {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        if let frame = goodFrame(rest),
          limit != nil || frame.header.durableThrough > end.last
        {
          return offset
        }
      }
      offset += 8
    }
    return nil
  }
}
