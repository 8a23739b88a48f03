/// The writer of the active log.
///
/// Each commit is appended as one frame.
///
/// Not thread-safe: only the thread that leads the commit queue accesses it.
final class LogWriter {
  let header: LogHeader
  let name: String
  private let file: any File
  /// The offset of the first byte after the last acknowledged frame.
  private(set) var length: Int
  private(set) var last: UInt64
  private(set) var durableThrough: UInt64
  /// The byte range of the frames that are not yet durable; `pendingChecksum` is its checksum.
  private var pending: Range<Int>
  private var pendingChecksum: UInt32 = 0
  private var chain: UInt32
  /// The history chain through the last acknowledged frame.
  private(set) var history: HistoryChain
  /// Called with the last sequence number after a sync has made all frames durable.
  var onDurable: (UInt64) -> Void = { _ in }
  private(set) var hasFailed = false
  private var reserved: Int
  private var zeroed: Int

  // Syncing overwritten bytes is about twice as fast as extending a file, so zeros are written
  // ahead in steps. Large frames extend the file instead, because zeros would double their writes.
  private let zeroStep: Int
  private static let zeroAheadLimit = 16 << 10
  private static let reserveStep = 4 << 20
  // Disk space reserved for frames that only delete samples or change settings.
  private static let reserve = 64 << 10

  /// Continues a log at the end that recovery found.
  ///
  /// According to later frames, everything before `durableOffset` is durable.
  init(
    file: any File, name: String, header: LogHeader, end: LogEnd, history: HistoryChain,
    durableOffset: Int, zeroStep: Int
  ) throws {
    self.file = file
    self.history = history
    self.zeroStep = zeroStep
    self.name = name
    self.header = header
    length = Int(end.length)
    last = end.last
    durableThrough = end.last
    chain = end.chain
    pending = length..<length
    reserved = length
    zeroed = length
    try Self.cut(file, to: length)
    // A log without frames was synced when it was created.
    if durableOffset >= length { return }
    // Frames that recovery read may exist in the page cache only, and readers must not see data
    // that is not durable. A sync alone is not enough: an earlier process may have seen it fail,
    // after which the next sync succeeds without writing.
    _ = try writeAgain(durableOffset..<length)
    try file.sync()
  }

  /// Removes the remains of a torn write after the last valid frame.
  ///
  /// They are overwritten before the file is truncated, because they may include a complete frame
  /// with the right salt. If the disk assigned the same blocks to the file again, that frame could
  /// reappear. Ranges that read as zeros are also overwritten, because a failed frame may still be
  /// on the disk below them.
  private static func cut(_ file: any File, to length: Int) throws {
    let size = try file.size()
    guard size > length else { return }
    try clear(file, length..<size)
    try file.sync()
    try file.truncate(to: length)
  }

  /// Overwrites a range of a file with zeros, except for holes, which occupy no disk blocks.
  private static func clear(_ file: any File, _ range: Range<Int>) throws {
    let step = 1 << 20
    var offset = range.lowerBound
    while true {
      offset = try file.nextData(from: offset)
      if offset >= range.upperBound { return }
      let end = min((offset / step + 1) * step, range.upperBound)
      let zeros = [UInt8](repeating: 0, count: end - offset)
      try zeros.withUnsafeBytes { try file.write($0, at: offset) }
      offset = end
    }
  }

  /// Rewrites bytes in place, so that the next sync writes them again.
  ///
  /// After a failed sync, the operating system considers the unwritten pages clean.
  ///
  /// - Returns: The checksum of the bytes.
  private func writeAgain(_ range: Range<Int>) throws -> UInt32 {
    var found: UInt32 = 0
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
      let count = min(1 << 20, range.upperBound - offset)
      guard let bytes = try file.bytes(count, at: offset) else {
        throw lost
      }
      found = checksum(bytes, found)
      try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }
    return found
  }

  /// Creates a log under its final name, with initial frames that become visible atomically with
  /// it.
  ///
  /// Calls `willName` immediately before the file is renamed to its final name. If creation fails
  /// after this call, it is unknown whether the log exists.
  static func create(
    _ header: LogHeader, frames: [StoredFrame] = [], in directory: String,
    fileSystem: any FileSystem, zeroStep: Int, willName: () -> Void = {}
  ) throws -> LogWriter {
    let name = FileNames.log(first: header.first)
    let path = directory + "/" + name
    let temporary = path + FileNames.temporarySuffix
    try? fileSystem.remove(temporary)
    let file = try fileSystem.open(temporary, .create)
    var bytes = header.encoded
    var end = LogEnd(
      first: header.first, last: header.first - 1, length: UInt64(LogHeader.size), chain: 0)
    var history = HistoryChain(before: header)
    for frame in frames {
      let own = frame.header.inLog(salt: header.salt, durableThrough: header.first - 1)
      frame.encode(own, into: &bytes)
      end = LogEnd(
        first: header.first, last: own.last, length: UInt64(bytes.count),
        chain: chained(end.chain, own.encoded))
      history.append(own, in: header)
    }
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
    willName()
    try fileSystem.rename(temporary, to: path)
    file.wasRenamed(to: path)
    try fileSystem.syncDirectory(directory)
    return try LogWriter(
      file: file, name: name, header: header, end: end, history: history,
      durableOffset: Int(end.length), zeroStep: zeroStep)
  }

  var end: LogEnd {
    LogEnd(first: header.first, last: last, length: UInt64(length), chain: chain)
  }

  /// Appends frames with one write and, unless they are buffered, one sync.
  ///
  /// After a failed write or sync the log accepts no more frames. The data on the disk is then
  /// unknown until a successor log records where this one ends. If there is no space for the
  /// frames, the log is unchanged. Growing frames, which add samples, do not use the reserved
  /// space.
  func append(
    _ frames: [UInt8], last newLast: UInt64, chain newChain: UInt32,
    history newHistory: HistoryChain,
    isDurable: Bool, isGrowing: Bool = true
  ) throws {
    try makeRoom(for: frames.count, isGrowing: isGrowing)
    do {
      try frames.withUnsafeBytes { try file.write($0, at: length) }
      if isDurable { try file.sync() }
    } catch {
      hasFailed = true
      takeBack(frames.count)
      throw error
    }
    length += frames.count
    zeroed = max(zeroed, length)
    last = newLast
    chain = newChain
    history = newHistory
    if isDurable {
      reportDurable()
    } else {
      pending = pending.lowerBound..<length
      pendingChecksum = checksum(frames, pendingChecksum)
    }
  }

  /// Overwrites failed frames with zeros, so that recovery does not find them if no successor log
  /// can be created to exclude them.
  ///
  /// Truncating the file would leave them on the disk, where later frames could uncover them.
  private func takeBack(_ count: Int) {
    guard let size = try? file.size(), size > length else { return }
    let isCleared: ()? = try? Self.clear(file, length..<min(size, length + count))
    if isCleared != nil { try? file.sync() }
  }

  private func reportDurable() {
    durableThrough = last
    pending = length..<length
    pendingChecksum = 0
    onDurable(last)
  }

  /// Makes buffered commits durable.
  ///
  /// - Throws: An error if the sync failed; a later call may succeed.
  func sync() throws {
    guard durableThrough < last else { return }
    do {
      if hasFailed, try writeAgain(pending) != pendingChecksum {
        throw lost
      }
      try file.sync()
      reportDurable()
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// The error for bytes that the operating system accepted but lost.
  private var lost: StoreError {
    .inputOutput(operation: "sync", path: name, code: 5, message: "the written bytes are lost")
  }

  /// Rejects all further frames, because a successor that records this log's end may exist.
  func poison() { hasFailed = true }

  var frameChain: UInt32 { chain }

  /// The current valid part of the log.
  var extent: LogExtent { LogExtent(file: file, name: name, end: end) }

  /// Releases reserved space.
  ///
  /// The log can still be read, and continued later.
  func trim() throws { try file.truncate(to: length) }

  private func makeRoom(for count: Int, isGrowing: Bool) throws {
    let needed = length + count
    let wanted = isGrowing ? needed + Self.reserve : needed
    if wanted > reserved {
      // If the disk is full, this fails before anything is written.
      let target = (wanted / Self.reserveStep + 1) * Self.reserveStep
      do {
        try file.preallocate(target)
        reserved = target
      } catch {
        // Near the end of the disk, only the required space is reserved.
        try file.preallocate(wanted)
        reserved = wanted
      }
    }
    if needed > zeroed, count <= Self.zeroAheadLimit {
      let end = max(needed, min(needed + zeroStep, reserved))
      let zeros = [UInt8](repeating: 0, count: end - zeroed)
      // An optimisation only; errors will surface when the frames are written.
      let isWritten: ()? = try? zeros.withUnsafeBytes { try file.write($0, at: zeroed) }
      if isWritten != nil { zeroed = end }
    }
  }
}

/// Returns the chained checksum extended with an encoded frame header.
package func chained(_ chain: UInt32, _ encodedHeader: [UInt8]) -> UInt32 {
  checksum(encodedHeader, chain)
}
