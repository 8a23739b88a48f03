/// Damage to a file of a store: its location and a description.
public struct Damage: Hashable, Sendable {
  /// The file's name within the store's directory.
  public var file: String
  /// The offset of the first damaged byte.
  public var offset: Int
  /// A description of the damage.
  public var reason: String

  /// Creates a damage report.
  public init(file: String, offset: Int, reason: String) {
    self.file = file
    self.offset = offset
    self.reason = reason
  }
}

extension StoreError {
  /// Creates the error for a damaged file.
  init(_ damage: Damage) {
    self = .damaged(file: damage.file, offset: damage.offset, reason: damage.reason)
  }
}

/// The valid part of a log.
///
/// The open file remains readable after its name is removed.
struct LogExtent: Sendable {
  let file: any File
  let name: String
  var end: LogEnd
}

/// A damaged range between two valid frames.
struct LogGap {
  var bytes: Range<Int>
  /// The last sequence number before the gap.
  var after: UInt64
  /// The first sequence number after the gap.
  var before: UInt64
}

/// A sequential reader of the frames of a log, which records the log's end and any damage.
struct LogReader {
  let file: any File
  let name: String
  let header: LogHeader
  /// The end of the last valid frame read.
  private(set) var end: LogEnd
  /// The highest sequence number that the frames read so far record as durable.
  private(set) var durableThrough: UInt64 = 0
  /// The offset up to which all frames are recorded as durable by later frames.
  private(set) var durableOffset = LogHeader.size
  private var undurable: [(last: UInt64, end: Int)] = []
  private var firstUndurable = 0
  /// The history chain through ``end``.
  private(set) var history: HistoryChain
  private(set) var damages: [Damage] = []
  private(set) var gaps: [LogGap] = []

  /// Creates a reader with a header, for a log whose own header cannot be read.
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

  /// A frame that is valid on its own.
  private struct Found {
    var header: FrameHeader
    var payload: [UInt8]
    /// The chain of the log after this frame.
    var chain: UInt32
  }

  /// Reads the frames after ``end`` and advances it.
  ///
  /// - Parameters:
  ///   - limit: The end of the log according to its successor, or nil for the newest log.
  ///   - next: An upper bound of the log's sequence numbers: the first of the next log.
  ///   - through: The last sequence number to read; in the newest log, reading stops before a frame
  ///     beyond it.
  ///   - body: Called with each valid frame's header and decompressed payload; returns false if the
  ///     payload cannot be decoded.
  /// - Throws: The errors of `body`, or an error of the operating system.
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
        advanceDurableOffset()
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

  private mutating func advanceDurableOffset() {
    while firstUndurable < undurable.count, undurable[firstUndurable].last <= durableThrough {
      durableOffset = undurable[firstUndurable].end
      firstUndurable += 1
    }
    if firstUndurable == undurable.count {
      undurable.removeAll(keepingCapacity: true)
      firstUndurable = 0
    }
    undurable.append((end.last, Int(end.length)))
  }

  /// Returns whether another frame seems to follow.
  ///
  /// Reads one header.
  func mayHaveMore() throws -> Bool {
    guard let bytes = try file.bytes(FrameHeader.size, at: Int(end.length)) else { return false }
    return bytes.withUnsafeBytes { FrameHeader($0, salt: header.salt) } != nil
  }

  /// Makes the frames read so far durable; no later frame confirms the durability of the last one.
  ///
  /// Data that another process wrote but has not synced may be lost in a power failure.
  ///
  /// - Returns: Whether the data is durable. A read-only disk counts as durable, because it has no
  ///   pending writes.
  func makeDurable() throws -> Bool {
    guard end.last >= header.first else { return true }
    do {
      try file.sync()
      return true
    } catch StoreError.inputOutput(_, _, let code, _) {
      return PosixFileSystem.isOnlyForReading(code)
    }
  }

  /// Returns whether a frame's sequence numbers can follow those read so far.
  ///
  /// Sequence numbers are skipped only if frames were lost, and every record takes at least one
  /// byte, so the damaged bytes bound the gap. The memtable is indexed by sequence number: a
  /// greater gap in a corrupt header would waste memory.
  private func isNext(_ header: FrameHeader, at offset: Int, _ next: UInt64) -> Bool {
    header.first > end.last && header.last < next
      && header.first - end.last - 1 <= UInt64(offset) - end.length
  }

  /// Verifies that a log with a successor reaches the end that the successor records.
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

  /// Searches for a valid frame after damage which proves that the damaged bytes had been
  /// acknowledged.
  ///
  /// In the newest log, a frame whose writer did not yet know the damaged range to be durable
  /// proves nothing: both belong to one torn write and are truncated.
  private func nextGoodFrame(
    _ window: LogWindow, after damaged: Int, limit: LogEnd?, below next: UInt64
  ) throws -> (offset: Int, first: UInt64)? {
    var offset = damaged
    // The number of bytes of invalid frames that the search may read.
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

  /// Returns the distance to the next offset at which a frame may begin, given an offset without a
  /// valid frame.
  ///
  /// A header with a valid checksum does not prove a frame, so the search continues right after it.
  /// Many such headers would make the search read the same bytes repeatedly. Once the budget is
  /// used up, the search therefore trusts the header and skips its frame.
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
    // Most bytes between frames are zeros.
    var step = 8
    while step + 4 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: step, as: UInt32.self).littleEndian != FrameHeader.magic
    { step += 8 }
    // Skips holes: a long log may be empty, for example a copy that was extended instead of
    // truncated.
    if step + 4 > bytes.count {
      let next = try window.nextData(from: offset + step)
      return (next - offset) & ~7
    }
    return step
  }
}
