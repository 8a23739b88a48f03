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
  /// After a failure the log takes nothing more: what reached the disk is unknown, and only a
  /// successor that states where this log ends makes it certain.
  func append(_ frames: [UInt8], last newLast: UInt64, chain newChain: UInt32, isDurable: Bool)
    throws
  {
    do {
      try makeRoom(for: frames.count)
      try frames.withUnsafeBytes { try file.write($0, at: length) }
      if isDurable { try file.sync() }
    } catch {
      hasFailed = true
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

  private func makeRoom(for count: Int) throws {
    let needed = length + count
    if needed > reserved {
      // A full disk shows here, before anything is written.
      let target = (needed / Self.reserveStep + 1) * Self.reserveStep
      try file.preallocate(target)
      reserved = target
    }
    if needed > zeroed, count <= Self.zeroAheadLimit {
      let zeros = [UInt8](repeating: 0, count: needed + Self.zeroStep - zeroed)
      try zeros.withUnsafeBytes { try file.write($0, at: zeroed) }
      zeroed += zeros.count
    }
  }
}

/// Chains a frame header's checksum onto those before it.
package func chained(_ chain: UInt32, _ encodedHeader: [UInt8]) -> UInt32 {
  checksum(encodedHeader, chain)
}
