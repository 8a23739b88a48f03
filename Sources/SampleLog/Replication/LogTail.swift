/// A reader of a store's durable commits, from the active log and from sealed logs that are kept.
///
/// Not thread-safe. Logs may be rotated, sealed and renamed concurrently.
package struct LogTail {
  /// Consecutive commits of one log.
  package struct Commits {
    package var frames: [StoredFrame]
    /// The epoch of the commits.
    package var epoch: UInt32
    /// The history position before the first commit.
    package var before: HistoryPosition
    /// The history position after commits that were rebuilt from segments, which are valid only
    /// together; nil for original commits, whose own chain leads to that position.
    package var rebuilt: HistoryPosition?

    package init(
      frames: [StoredFrame], epoch: UInt32, before: HistoryPosition,
      rebuilt: HistoryPosition? = nil
    ) {
      self.frames = frames
      self.epoch = epoch
      self.before = before
      self.rebuilt = rebuilt
    }
  }

  /// An open log and the read offset.
  fileprivate struct Log {
    let file: any File
    let name: String
    let header: LogHeader
    var offset = LogHeader.size
    /// The end of the log according to its successor, or nil while it is the newest.
    var limit: LogEnd?
    /// The last durable sequence number at the time when the log was last known to be the newest.
    var durable: UInt64 = 0

    init(_ file: any File, _ name: String) throws {
      self.file = file
      self.name = name
      header = try LogReader(file: file, name: name).header
    }

    /// Returns the header of the next frame if it is durable.
    func next(after last: UInt64, through durable: UInt64) throws -> FrameHeader? {
      if let limit, offset >= Int(limit.length) { return nil }
      let bytes = try file.bytes(FrameHeader.size, at: offset) ?? []
      let found = bytes.withUnsafeBytes { FrameHeader($0, salt: header.salt) }
      if let found, found.last <= durable { return found }
      let isMissing = found == nil && max(last + 1, header.first) <= self.durable
      guard limit == nil, !isMissing else {
        throw damaged("a frame that was durable is not one any more")
      }
      return nil
    }

    func frame(_ header: FrameHeader) throws -> StoredFrame {
      let payload = try file.bytes(header.storedLength, at: offset + FrameHeader.size)
      guard let payload, checksum(payload) == header.payloadChecksum else {
        throw damaged("a frame's checksum is wrong")
      }
      return StoredFrame(header: header, payload: payload)
    }

    func damaged(_ reason: String) -> StoreError {
      .damaged(file: name, offset: offset, reason: reason)
    }
  }

  private let database: Database
  fileprivate var log: Log
  /// The position through which commits were read or skipped.
  package private(set) var position: HistoryPosition

  /// Positions the reader after the last commit that ends at or before a sequence number.
  ///
  /// If a log between that position and the newest is missing, begins with the oldest log that
  /// leads to the newest; see ``position``.
  package init(_ database: Database, after sequence: UInt64) throws {
    self.database = database
    log = try database.openLog(leadingFrom: sequence)
    position = Self.start(of: log.header)
    while true {
      let durable = try bound()
      if let header = try log.next(after: position.last, through: durable) {
        if header.last > sequence { return }
        advance(past: header)
      } else if try position.last >= sequence || !moveOn(durable) {
        return
      }
    }
  }

  /// The first sequence number of the current log.
  package var logFirst: UInt64 { log.header.first }

  fileprivate static func start(of header: LogHeader) -> HistoryPosition {
    HistoryPosition(
      last: header.predecessor?.last ?? header.first - 1, chain: HistoryChain(before: header))
  }

  /// Reads the next commits.
  ///
  /// If logs were removed since the last call, continues after them; see ``position``.
  ///
  /// - Parameter byteLimit: The maximum length of the commits, in bytes; at least one commit is
  ///   read.
  /// - Returns: The commits, or nil if all durable commits have been read.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  package mutating func next(byteLimit: Int) throws -> Commits? {
    var commits = Commits(frames: [], epoch: log.header.epoch, before: position)
    var bytes = 0
    while true {
      let durable = try bound()
      guard let header = try log.next(after: position.last, through: durable) else {
        if !commits.frames.isEmpty { return commits }
        guard try moveOn(durable) else { return nil }
        commits = Commits(frames: [], epoch: log.header.epoch, before: position)
        continue
      }
      bytes += header.frameLength
      let rebuilt = log.header.rebuilt.flatMap { header.last <= $0.last ? $0 : nil }
      if bytes > byteLimit, !commits.frames.isEmpty, rebuilt == nil { return commits }
      commits.frames.append(try log.frame(header))
      advance(past: header)
      if let rebuilt, rebuilt.last == header.last {
        commits.rebuilt = rebuilt
        return commits
      }
    }
  }

  private mutating func advance(past header: FrameHeader) {
    log.offset += header.frameLength
    position.last = header.last
    position.chain.append(header, in: log.header)
  }

  /// Returns the last durable sequence number, after determining the log's end if it has a
  /// successor.
  ///
  /// In the newest log, frames of failed commits have higher numbers than the durable end.
  private mutating func bound() throws -> UInt64 {
    // Read this first: as long as the log is the newest, nothing after it can be durable.
    let durable = database.durableEnd
    if log.limit != nil { return durable }
    if database.newestLogFirst == log.header.first {
      log.durable = durable
    } else {
      guard let next = try successor() else { return durable }
      log.limit = next.header.predecessor
      guard log.limit?.first == log.header.first else {
        throw next.damaged("it is not the successor of \(log.name)")
      }
    }
    return durable
  }

  private func successor() throws -> Log? {
    var other: Log?
    for (first, _) in try database.logNames() where first > log.header.first {
      let next = try database.openLog(first)
      if next.header.predecessor?.first == log.header.first { return next }
      other = other ?? next
    }
    // The log between them was removed.
    return other
  }

  /// Advances to the next log; returns false if there is none.
  private mutating func moveOn(_ durable: UInt64) throws -> Bool {
    guard log.limit != nil, let next = try successor() else { return false }
    if next.header.predecessor?.first != log.header.first {
      // Logs between them were removed after this one was opened.
      position = Self.start(of: next.header)
    } else if next.header.history != position.chain.value {
      throw next.damaged("it continues another history")
    }
    log = next
    return true
  }
}

extension Database {
  /// Returns the logs in the directory, including sealed ones that are kept, oldest first.
  fileprivate func logNames() throws -> [(first: UInt64, name: String)] {
    (try fileSystem.list(path) ?? []).compactMap { name in
      (FileNames.logFirst(name) ?? FileNames.sealedLogFirst(name)).map { ($0, name) }
    }
    .sorted { $0.first < $1.first }
  }

  /// Opens the log from which all commits after a sequence number lead to the newest.
  ///
  /// If there is none, opens the oldest log of the unbroken sequence that ends with the newest.
  /// Each log names its predecessor. A log that starts a chain of its own continues none.
  fileprivate func openLog(leadingFrom sequence: UInt64) throws -> LogTail.Log {
    let numbers = Set(try logNames().map(\.first))
    guard let newest = numbers.max() else { throw StoreError.closed }
    var log = try openLog(newest)
    while log.header.first > sequence + 1, log.header.history != 0,
      let before = log.header.predecessor?.first,
      before < log.header.first, numbers.contains(before)
    {
      log = try openLog(before)
    }
    return log
  }

  /// Returns the last sequence number before the log that ``openLog(leadingFrom:)`` opens.
  func lastBeforeLogs(leadingFrom sequence: UInt64) throws -> UInt64 {
    LogTail.start(of: try openLog(leadingFrom: sequence).header).last
  }

  fileprivate func openLog(_ first: UInt64) throws -> LogTail.Log {
    for name in [FileNames.log(first: first), FileNames.sealedLog(first: first)] {
      do {
        return try LogTail.Log(fileSystem.open(path + "/" + name, .read), name)
      } catch StoreError.inputOutput(_, _, 2, _) {
        // The log has been sealed.
      }
    }
    throw StoreError.damaged(
      file: FileNames.log(first: first), offset: 0, reason: "the log is gone before it was read")
  }

  /// The first sequence number of the newest log, or nil once the store is closed.
  package var newestLogFirst: UInt64? { state.withLock { $0.logs.last?.end.first } }

  /// Removes kept sealed logs whose commits end at or before a sequence number.
  ///
  /// - Parameters:
  ///   - sequence: The last published sequence number.
  ///   - count: The number of the newest such logs to keep.
  ///   - limit: The last first sequence number of the logs to remove.
  /// - Throws: An error of the operating system.
  package func releaseLogs(
    through sequence: UInt64, keeping count: Int = 0, startingBy limit: UInt64 = .max
  ) throws {
    remove(
      try releasableLogs(through: sequence, keeping: count).filter { $0.first <= limit }
        .map(\.name))
  }

  /// Returns whether a log, sealed or not, begins at or before a sequence number.
  ///
  /// - Throws: An error of the operating system.
  package func hasLog(startingBy sequence: UInt64) throws -> Bool {
    try logNames().first.map { $0.first <= sequence } ?? false
  }

  /// Removes the oldest log that ``releaseLogs(through:keeping:startingBy:)`` would remove.
  ///
  /// - Throws: An error of the operating system.
  package func releaseOldestLog(through sequence: UInt64, keeping count: Int) throws {
    remove(try releasableLogs(through: sequence, keeping: count).prefix(1).map(\.name))
  }

  private func releasableLogs(
    through sequence: UInt64, keeping count: Int
  ) throws -> [(first: UInt64, name: String)] {
    let names = try logNames()
    let gone = zip(names, names.dropFirst()).filter { log, next in
      FileNames.sealedLogFirst(log.name) != nil && next.first <= sequence + 1
    }
    return gone.dropLast(count).map(\.0)
  }
}
