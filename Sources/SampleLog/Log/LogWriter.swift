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
  private var chain: UInt32
  private(set) var hasFailed = false
  private var reserved: Int
  private var zeroed: Int

  // Overwriting bytes that exist syncs about twice as fast as extending a file, so zeros are
  // written ahead in steps. Large frames would write everything twice; they extend the file.
  private static let zeroStep = 512 << 10
  private static let zeroAheadLimit = 16 << 10
  private static let reserveStep = 4 << 20
  // The last space of a disk, kept for frames that only delete and set.
  private static let spare = 64 << 10

  /// Continues a log at the end that recovery found.
  init(file: any File, name: String, header: LogHeader, end: LogEnd) throws {
    self.file = file
    self.name = name
    self.header = header
    length = Int(end.length)
    last = end.last
    durableThrough = end.last
    chain = end.chain
    // Bytes of a torn frame must not be found behind a later, shorter one.
    if try file.size() != length { try file.truncate(to: length) }
    // What was read may be in the page cache only; nobody is shown what is not durable.
    try file.sync()
    reserved = length
    zeroed = length
  }

  /// Creates a log under its final name.
  static func create(
    _ header: LogHeader, in directory: String, fileSystem: any FileSystem
  ) throws -> LogWriter {
    let name = FileNames.log(first: header.first)
    let path = directory + "/" + name
    let temporary = path + FileNames.temporarySuffix
    try? fileSystem.remove(temporary)
    let file = try fileSystem.open(temporary, .create)
    try header.encoded.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
    try fileSystem.rename(temporary, to: path)
    try fileSystem.syncDirectory(directory)
    let end = LogEnd(
      first: header.first, last: header.first - 1, length: UInt64(LogHeader.size), chain: 0)
    return try LogWriter(file: file, name: name, header: header, end: end)
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
    _ frames: [UInt8], last newLast: UInt64, chain newChain: UInt32, isDurable: Bool,
    isGrowing: Bool = true
  ) throws {
    try makeRoom(for: frames.count, isGrowing: isGrowing)
    do {
      try frames.withUnsafeBytes { try file.write($0, at: length) }
      if isDurable { try file.sync() }
    } catch {
      hasFailed = true
      // Where no successor can be made, either, this keeps the frames from being found once the
      // process is gone; what power's end leaves is as unknown as before.
      try? file.truncate(to: length)
      throw error
    }
    length += frames.count
    zeroed = max(zeroed, length)
    last = newLast
    chain = newChain
    if isDurable { durableThrough = newLast }
  }

  /// Makes buffered commits durable.
  func sync() throws {
    guard durableThrough < last else { return }
    do {
      try file.sync()
      durableThrough = last
    } catch {
      hasFailed = true
      throw error
    }
  }

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
      let end = max(needed, min(needed + Self.zeroStep, reserved))
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
