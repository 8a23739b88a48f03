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

extension StoreError {
  /// The error that a file is damaged.
  init(_ damage: Damage) {
    self = .damaged(file: damage.file, offset: damage.offset, reason: damage.reason)
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
  /// The highest sequence number that a frame read so far says was durable before it.
  private(set) var durableThrough: UInt64 = 0
  /// The byte up to which all frames were durable by what those behind them say.
  private(set) var settled = LogHeader.size
  private var unsettled: [(last: UInt64, end: Int)] = []
  private var firstUnsettled = 0
  /// The chain of the store's history through ``end``.
  private(set) var history: HistoryChain
  private(set) var damages: [Damage] = []
  private(set) var gaps: [LogGap] = []

  /// Takes a header that cannot be read from the file.
  init(file: any File, name: String, header: LogHeader) {
    self.file = file
    self.name = name
    self.header = header
    history = HistoryChain(before: header)
    end = LogEnd(
      first: header.first, last: header.first - 1, length: UInt64(LogHeader.size), chain: 0)
  }

  init(file: any File, name: String) throws {
    guard let bytes = try file.bytes(LogHeader.size, at: 0) else {
      throw StoreError.damaged(file: name, offset: 0, reason: "the file is shorter than its header")
    }
    self.init(file: file, name: name, header: try LogHeader(bytes, file: name))
  }

  /// A frame that is good by itself.
  private struct Found {
    var header: FrameHeader
    var payload: [UInt8]
    /// The chain of the log once the frame is part of it.
    var chain: UInt32
  }

  /// Reads the frames after ``end`` and moves it.
  ///
  /// - Parameters:
  ///   - limit: Where the log's successor says this one ends; nil for the newest log.
  ///   - next: A sequence number that the log does not reach: the first of the next log.
  ///   - through: The last sequence number to read; a frame beyond it ends the reading.
  ///   - body: Takes each good frame's header and decompressed payload; returns false when the
  ///     payload makes no sense.
  /// - Throws: What `body` throws, or an error of the operating system.
  mutating func read(
    limit: LogEnd?, below next: UInt64 = FileNames.greatest, through: UInt64 = .max,
    _ body: (FrameHeader, [UInt8]) throws -> Bool
  ) throws {
    var offset = Int(end.length)
    let size = try file.size()
    let window = LogWindow(file, end: limit.map { min(Int($0.length), size) } ?? size)
    while offset < window.end {
      let found = try goodFrame(window, at: offset)
      if let found, limit == nil, found.header.last > through { return }
      if let frame = found, isNext(frame.header, at: offset, next),
        try body(frame.header, frame.payload)
      {
        durableThrough = max(durableThrough, frame.header.durableThrough)
        offset += frame.header.frameLength
        end.length = UInt64(offset)
        end.last = frame.header.last
        end.chain = frame.chain
        history.append(frame.header, in: header)
        noteSettled()
        continue
      }
      guard let good = try nextGoodFrame(window, after: offset, limit: limit, below: next) else {
        break
      }
      damages.append(
        Damage(
          file: name, offset: offset,
          reason: "\(good.offset - offset) bytes before a good frame are not a frame"))
      gaps.append(LogGap(bytes: offset..<good.offset, after: end.last, before: good.first))
      offset = good.offset
    }
    try checkEnd(limit)
  }

  private mutating func noteSettled() {
    while firstUnsettled < unsettled.count, unsettled[firstUnsettled].last <= durableThrough {
      settled = unsettled[firstUnsettled].end
      firstUnsettled += 1
    }
    if firstUnsettled == unsettled.count {
      unsettled.removeAll(keepingCapacity: true)
      firstUnsettled = 0
    }
    unsettled.append((end.last, Int(end.length)))
  }

  /// Whether a frame seems to follow; costs a look at its header.
  func mayHaveMore() throws -> Bool {
    guard let bytes = try file.bytes(FrameHeader.size, at: Int(end.length)) else { return false }
    return bytes.withUnsafeBytes { FrameHeader($0, salt: header.salt) } != nil
  }

  /// Makes what was read durable; of the last frame no other says that it is.
  ///
  /// What another process has written may be lost with power as long as it has not synced it.
  ///
  /// - Returns: Whether that worked. A disk that cannot be written to has nothing to lose.
  func makeDurable() throws -> Bool {
    guard end.last >= header.first else { return true }
    do {
      try file.sync()
      return true
    } catch StoreError.inputOutput(_, _, let code, _) {
      return PosixFileSystem.isOnlyForReading(code)
    }
  }

  /// Whether a frame's sequence numbers follow those read so far.
  ///
  /// Numbers are skipped only where frames were lost, and no record is kept in less than a byte.
  /// What follows is kept by sequence number, so a greater step would be memory for nothing.
  private func isNext(_ header: FrameHeader, at offset: Int, _ next: UInt64) -> Bool {
    header.first > end.last && header.last < next
      && header.first - end.last - 1 <= UInt64(offset) - end.length
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

  private func goodFrame(_ window: LogWindow, at offset: Int) throws -> Found? {
    var bytes = try window.bytes(at: offset, wanted: FrameHeader.size)
    guard let header = FrameHeader(bytes, salt: self.header.salt),
      header.frameLength <= window.end - offset
    else { return nil }
    bytes = try window.bytes(at: offset, wanted: header.frameLength)
    guard header.frameLength <= bytes.count else { return nil }
    let end = FrameHeader.size + header.storedLength
    let stored = UnsafeRawBufferPointer(rebasing: bytes[FrameHeader.size..<end])
    guard bytes[end..<header.frameLength].allSatisfy({ $0 == 0 }),
      let payload = StoredPayload.raw(stored, header: header)
    else { return nil }
    let encoded = UnsafeRawBufferPointer(rebasing: bytes[..<FrameHeader.size])
    return Found(header: header, payload: payload, chain: checksum(encoded, self.end.chain))
  }

  /// Finds a frame behind damage that proves the damaged bytes had been acknowledged.
  ///
  /// In the newest log a frame whose writer did not yet know the damaged place to be durable
  /// proves nothing: both belong to one torn write and are cut.
  private func nextGoodFrame(
    _ window: LogWindow, after damaged: Int, limit: LogEnd?, below next: UInt64
  ) throws -> (offset: Int, first: UInt64)? {
    var offset = damaged
    // How many bytes of frames that prove bad may be read.
    var budget = 4 * window.end
    while true {
      offset += try distance(window, at: offset, &budget)
      guard window.end - offset >= FrameHeader.size else { return nil }
      if let frame = try goodFrame(window, at: offset), isNext(frame.header, at: offset, next),
        limit != nil || frame.header.durableThrough > end.last
      {
        return (offset, frame.header.first)
      }
    }
  }

  /// How far behind an offset that is no good frame the next one may begin.
  ///
  /// A header that is right does not say so: it may be where another's frame should be. But looking
  /// behind each of very many would read the same bytes again and again, so with no budget left
  /// it is believed.
  private func distance(
    _ window: LogWindow, at offset: Int, _ budget: inout Int
  ) throws -> Int {
    let bytes = try window.bytes(at: offset, wanted: FrameHeader.size)
    if let frame = FrameHeader(bytes, salt: header.salt),
      frame.frameLength <= window.end - offset
    {
      budget -= frame.frameLength
      if budget < 0 { return frame.frameLength }
    }
    // Most of what is not a frame is zeros.
    var step = 8
    while step + 4 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: step, as: UInt32.self).littleEndian != FrameHeader.magic
    { step += 8 }
    // A log may be long and have nothing in it, as a copy of one that was cut wrongly has.
    if step + 4 > bytes.count {
      let next = try window.nextData(from: offset + step)
      return (next - offset) & ~7
    }
    return step
  }
}
