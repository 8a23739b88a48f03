/// The active log: commits go to its end, one frame each.
///
/// Not thread-safe: one committing thread at a time owns it.
final class LogWriter {
  let header: LogHeader
  let name: String
  private let file: any File
  /// The byte after the last acknowledged frame.
  private(set) var length: Int
  private(set) var last: UInt64
  private(set) var durableThrough: UInt64
  /// Frames behind the last durable one: where they are and their checksum.
  private var pending: Range<Int>
  private var pendingChecksum: UInt32 = 0
  private var chain: UInt32
  /// The chain of the store's history through the last acknowledged frame.
  private(set) var history: HistoryChain
  /// Called with the last sequence number when everything written is durable.
  var didSettle: (UInt64) -> Void = { _ in }
  private(set) var hasFailed = false
  private var reserved: Int
  private var zeroed: Int

  // Overwriting bytes that exist syncs about twice as fast as extending a file, so zeros are
  // written ahead in steps. Large frames would write everything twice; they extend the file.
  private let zeroStep: Int
  private static let zeroAheadLimit = 16 << 10
  private static let reserveStep = 4 << 20
  // The last space of a disk, kept for frames that only delete and set.
  private static let spare = 64 << 10

  /// Continues a log at the end that recovery found; up to the byte `settled` later frames say that
  /// all was durable.
  init(
    file: any File, name: String, header: LogHeader, end: LogEnd, history: HistoryChain,
    settled: Int, zeroStep: Int
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
    // What was read may be in the page cache only; nobody is shown what is not durable. A process
    // before this one may even have been told so by a sync, after which another does nothing.
    _ = try writeAgain(settled..<length)
    try file.sync()
  }

  /// Removes what a torn write left behind the last good frame.
  ///
  /// It is overwritten first: it may be a whole frame behind a torn one, and a disk that gives the
  /// same blocks to later frames may show it in their place, with the right salt. Zeros are
  /// overwritten, too: they may hide a frame that failed and is still on the disk.
  private static func cut(_ file: any File, to length: Int) throws {
    let size = try file.size()
    guard size > length else { return }
    try clear(file, length..<size)
    try file.sync()
    try file.truncate(to: length)
  }

  /// Overwrites a part of a file with zeros, but for holes, which have nothing on the disk.
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

  /// Writes bytes over themselves, so that the next sync has them to write.
  ///
  /// After a sync that failed the system takes what it could not write for written.
  ///
  /// - Returns: Their checksum.
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

  /// Creates a log under its final name, with frames that it must never be without.
  ///
  /// `willName` is called when the next thing is to give the file its name, after which a failure
  /// leaves it unknown whether it has that name.
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
      settled: Int(end.length), zeroStep: zeroStep)
  }

  var end: LogEnd {
    LogEnd(first: header.first, last: last, length: UInt64(length), chain: chain)
  }

  /// Writes frames and, unless buffered, makes them durable: one write, one sync.
  ///
  /// After a write or a sync that failed the log takes nothing more: what reached the disk is
  /// unknown, and only a successor that states where this log ends makes it certain. When there
  /// is no space for the frames the log is as it was. Frames that are growing, because they add
  /// samples, leave the spare space alone.
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
      settle()
    } else {
      pending = pending.lowerBound..<length
      pendingChecksum = checksum(frames, pendingChecksum)
    }
  }

  /// Overwrites frames that failed, so that they are not found where no successor can be made,
  /// either, which would say that they do not count.
  ///
  /// Cutting them off would leave them on the disk, for later frames to uncover.
  private func takeBack(_ count: Int) {
    guard let size = try? file.size(), size > length else { return }
    let isCleared: ()? = try? Self.clear(file, length..<min(size, length + count))
    if isCleared != nil { try? file.sync() }
  }

  private func settle() {
    durableThrough = last
    pending = length..<length
    pendingChecksum = 0
    didSettle(last)
  }

  /// Makes buffered commits durable.
  ///
  /// - Throws: An error when that failed; in a log that failed before it may work another time.
  func sync() throws {
    guard durableThrough < last else { return }
    do {
      if hasFailed, try writeAgain(pending) != pendingChecksum {
        throw lost
      }
      try file.sync()
      settle()
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// The system has given up bytes that it had taken.
  private var lost: StoreError {
    .inputOutput(operation: "sync", path: name, code: 5, message: "what was written is gone")
  }

  /// Takes nothing more from now on, because a successor may be there that says so.
  func abandon() { hasFailed = true }

  var frameChain: UInt32 { chain }

  /// The part of the log that counts now.
  var extent: LogExtent { LogExtent(file: file, name: name, end: end) }

  /// Gives reserved space back; the log stays readable and can be continued later.
  func trim() throws { try file.truncate(to: length) }

  private func makeRoom(for count: Int, isGrowing: Bool) throws {
    let needed = length + count
    let wanted = isGrowing ? needed + Self.spare : needed
    if wanted > reserved {
      // A full disk shows here, before anything is written.
      let target = (wanted / Self.reserveStep + 1) * Self.reserveStep
      do {
        try file.preallocate(target)
        reserved = target
      } catch {
        // The end of a disk is taken in small pieces.
        try file.preallocate(wanted)
        reserved = wanted
      }
    }
    if needed > zeroed, count <= Self.zeroAheadLimit {
      let end = max(needed, min(needed + zeroStep, reserved))
      let zeros = [UInt8](repeating: 0, count: end - zeroed)
      // It is for speed only; what is wrong shows when the frames are written.
      let isWritten: ()? = try? zeros.withUnsafeBytes { try file.write($0, at: zeroed) }
      if isWritten != nil { zeroed = end }
    }
  }
}

/// Chains a frame header's checksum onto those before it.
package func chained(_ chain: UInt32, _ encodedHeader: [UInt8]) -> UInt32 {
  checksum(encodedHeader, chain)
}
