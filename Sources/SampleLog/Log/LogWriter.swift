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
  private let zeroStep: Int
  private static let zeroAheadLimit = 16 << 10
  private static let reserveStep = 4 << 20

  /// Continues a log at the end that recovery found.
  init(file: any File, name: String, header: LogHeader, end: LogEnd, zeroStep: Int) throws {
    self.file = file
    self.zeroStep = zeroStep
    self.name = name
    self.header = header
    length = Int(end.length)
    last = end.last
    durableThrough = end.last
    chain = end.chain
    try Self.cut(file, to: length)
    // What was read may be in the page cache only; nobody is shown what is not durable.
    try file.sync()
    reserved = length
    zeroed = length
  }

  /// Removes what a torn write left behind the last good frame.
  ///
  /// It is overwritten first: it may be a whole frame behind a torn one, and a disk that gives the
  /// same blocks to later frames may show it in their place, with the right salt.
  private static func cut(_ file: any File, to length: Int) throws {
    let rest = try file.size() - length
    guard rest > 0 else { return }
    let torn = try file.bytes(rest, at: length) ?? []
    if torn.contains(where: { $0 != 0 }) {
      try [UInt8](repeating: 0, count: rest).withUnsafeBytes { try file.write($0, at: length) }
      try file.sync()
    }
    try file.truncate(to: length)
  }

  /// Creates a log under its final name.
  ///
  /// - Parameter willName: Called when the next thing is to give the file its name, after which a
  ///   failure leaves it unknown whether it has that name.
  static func create(
    _ header: LogHeader, in directory: String, fileSystem: any FileSystem, zeroStep: Int,
    willName: () -> Void = {}
  ) throws -> LogWriter {
    let name = FileNames.log(first: header.first)
    let path = directory + "/" + name
    let temporary = path + FileNames.temporarySuffix
    try? fileSystem.remove(temporary)
    let file = try fileSystem.open(temporary, .create)
    try header.encoded.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
    willName()
    try fileSystem.rename(temporary, to: path)
    try fileSystem.syncDirectory(directory)
    let end = LogEnd(
      first: header.first, last: header.first - 1, length: UInt64(LogHeader.size), chain: 0)
    return try LogWriter(file: file, name: name, header: header, end: end, zeroStep: zeroStep)
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

  /// Takes nothing more from now on, because a successor may be there that says so.
  func abandon() { hasFailed = true }

  var frameChain: UInt32 { chain }

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
      let zeros = [UInt8](repeating: 0, count: needed + zeroStep - zeroed)
      try zeros.withUnsafeBytes { try file.write($0, at: zeroed) }
      zeroed += zeros.count
    }
  }
}

/// Chains a frame header's checksum onto those before it.
package func chained(_ chain: UInt32, _ encodedHeader: [UInt8]) -> UInt32 {
  checksum(encodedHeader, chain)
}
