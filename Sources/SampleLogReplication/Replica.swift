public import SampleLog

/// Applies a primary's commits, read from its stream, to a store that only they change.
///
/// The store answers queries, feeds and observers as any other, and takes the primary's anchors.
/// How far it has come is in the store itself, so a stream that was lost and made again does no
/// harm. Not thread-safe; the ``database`` is.
public final class Replica {
  /// What one step has done.
  public enum Step: Hashable, Sendable {
    /// Commits were applied, or messages read that the store had.
    case advanced
    /// There was nothing to read.
    case idle
    /// Commits were missing; the stream is read from its beginning next.
    case rereading
  }

  /// The store.
  public let database: Database
  let transport: any StreamTransport
  private(set) var reader: HistoryReader
  private var isRereading = false
  /// How many messages do not count although the stream was read again since.
  private var knownVoids = 0
  private var isCheckingVoids = false
  /// How often in a row the stream had ended without a message of this store's epoch.
  private var endsWithoutEpoch = 0
  private var batchLimit: Int
  /// The newest log when published ones were removed last.
  private var releasedBefore: UInt64?
  private let keptLogCount: Int
  private let clock: @Sendable () -> Double
  private let account = Locked(FollowingAccount())
  /// Whether the store has to be made of a backup again.
  public var needsBackup: Bool { account.withLock { $0.metrics.needsBackup } }
  var reporting: Reporting?

  /// Opens a replica.
  ///
  /// - Parameters:
  ///   - path: Its directory, which was made a replica before.
  ///   - transport: The primary's stream.
  ///   - options: How it is opened.
  ///   - fileSystem: Where the directory is.
  ///   - batchLimit: How many messages are read at once.
  ///   - keptLogCount: How many sealed logs to keep, in case the stream loses what they have; at
  ///     least one.
  ///   - name: What the replica is called where it reports how far it is, which no other replica
  ///     of the store is; nil to report nothing.
  /// - Throws: What opening a store throws.
  public init(
    path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem(), batchLimit: Int = 64, keptLogCount: Int = 4,
    name: String? = nil
  ) throws {
    var options = options
    options.primaryName = options.primaryName ?? "the stream's writer"
    // Once promoted, it publishes what the stream may have lost.
    options.keepsSealedLogs = true
    clock = options.clock
    database = try Database(path: path, options: options, fileSystem: fileSystem)
    self.transport = transport
    self.batchLimit = batchLimit
    self.keptLogCount = max(keptLogCount, 1)
    reader = HistoryReader(storeID: database.storeID)
    reporting = name.map { Reporting(name: $0) }
  }

  /// Reads on and applies what there is, and reports how far the store is if that is new.
  ///
  /// - Throws: ``ReplicationError/needsBackup(end:)`` from when on the stream does not continue the
  ///   store, ``ReplicationError/anotherStore``, an error of the stream, and errors of the disk,
  ///   after which the replica is to be opened again.
  public func step() throws -> Step {
    let step = try readOn()
    report()
    return step
  }

  private func readOn() throws -> Step {
    if needsBackup { throw ReplicationError.needsBackup(end: database.end) }
    let messages = try readMessages()
    if messages.isEmpty {
      try checkEpoch()
      if let missing = reader.missing, missing > database.end { return try readAgain() }
      if try confirmsPlace() {
        checkVoids()
        let time = clock()
        if lag == 0 { account.withLock { $0.lastComplete = time } }
      }
      return .idle
    }
    defer { account.withLock { $0.streamEnd = streamEnd } }
    do {
      let before = reader.cursor
      try reader.take(messages, apply)
      return reader.cursor > before ? .advanced : .idle
    } catch StoreError.gap {
      return try readAgain()
    } catch StoreError.diverged {
      throw lost()
    }
  }

  /// Reads the last message that was read once more, and begins to read the stream again if it is
  /// another, because the stream has lost something.
  ///
  /// - Returns: Whether the stream is what was read; an answer without the message, which may be an
  ///   old one, does not say so.
  func confirmsPlace() throws -> Bool {
    if reader.cursor == 0 { return true }
    let found = try transport.read(from: reader.cursor, limit: 1)
      .first { $0.sequence == reader.cursor }
    let isSame = found.map { Message.fingerprint($0.bytes) == reader.fingerprint }
    if try isSame == false || transport.end() < reader.cursor { restart() }
    return isSame == true
  }

  private func readMessages() throws -> [StreamMessage] {
    do {
      let messages = try transport.read(from: reader.cursor + 1, limit: batchLimit)
      let wasAway = account.withLock { account in
        account.metrics.messageCount += messages.count
        defer { account.metrics.isStreamReachable = true }
        return !account.metrics.isStreamReachable
      }
      if wasAway { database.report(.streamReachable) }
      return messages
    } catch {
      let isNews = account.withLock { account in
        defer { account.metrics.isStreamReachable = false }
        return account.metrics.isStreamReachable
      }
      if isNews { database.report(.streamUnreachable(reason: "\(error)")) }
      throw error
    }
  }

  private func readAgain() throws -> Step {
    // What is missing from the beginning of the stream on is not in it any more.
    if isRereading { throw lost() }
    restart()
    database.report(.resynchronizing(end: database.end))
    isRereading = true
    return .rereading
  }

  private func restart() {
    account.withLock { $0.metrics.resynchronizationCount += 1 }
    reader = HistoryReader(storeID: database.storeID)
  }

  /// Throws when the stream goes on without the store's epoch, which is lost then.
  ///
  /// An answer may be old and end before the epoch, but not time and again.
  private func checkEpoch() throws {
    let isMissing = reader.writer.map { $0.term < database.term } ?? false
    endsWithoutEpoch = isMissing ? endsWithoutEpoch + 1 : 0
    if endsWithoutEpoch > Self.staleAnswerLimit { throw lost() }
  }

  /// How often an answer may be old.
  static let staleAnswerLimit = 8

  /// Reads the stream again once after messages that did not count: what made them so may have been
  /// lost.
  private func checkVoids() {
    guard reader.voidCount > knownVoids else { return }
    isCheckingVoids.toggle()
    if isCheckingVoids { restart() } else { knownVoids = reader.voidCount }
  }

  private func lost() -> ReplicationError {
    account.withLock { $0.metrics.needsBackup = true }
    database.report(.needsBackup(end: database.end))
    return .needsBackup(end: database.end)
  }

  /// Takes a message that this replica has appended itself.
  func take(_ message: StreamMessage) throws { try reader.take([message], apply) }

  private func apply(_ message: Message) throws {
    let end = database.end
    let (epoch, term) = (database.epoch, database.term)
    if message.writer.epoch != epoch {
      if message.writer.term < term {
        // Until the stream comes to this store's epoch there is nothing to apply.
        return
      }
      // The newer epoch began before the end of this store.
      guard message.writer.term > term, message.writer.epochFirst > end else {
        throw StoreError.diverged(sequence: message.writer.epochFirst)
      }
    }
    if message.last <= end {
      if message.last == end, try database.historyEnd.chain != message.after.chain {
        throw StoreError.diverged(sequence: message.last)
      }
      return
    }
    guard let frames = message.frames() else {
      throw StoreError.gap(end: end, next: message.first)
    }
    if message.isRebuilt {
      // They do not show which commits they are made of.
      guard message.before.last >= end else { throw StoreError.diverged(sequence: end) }
      try database.apply(
        rebuilt: frames, of: message.epoch, after: message.before.chain, to: message.after,
        floor: message.floor)
      isRereading = false
      return releaseLogs()
    }
    var chain = message.before.chain
    for frame in frames.prefix(while: { $0.last <= end }) { chain.append(frame.header) }
    try database.apply(
      frames.filter { $0.last > end }, of: message.epoch, after: chain, floor: message.floor)
    isRereading = false
    releaseLogs()
  }

  /// Removes sealed logs but the newest few: what they have was read from the stream.
  private func releaseLogs() {
    guard let newest = database.newestLogFirst, newest != releasedBefore else { return }
    releasedBefore = newest
    // What cannot be removed now is removed when the next log begins.
    try? database.releaseLogs(through: database.end, keeping: keptLogCount)
  }

  /// How many records the stream has, as far as it was read, that are not applied.
  public var lag: UInt64 {
    streamEnd > database.end ? streamEnd - database.end : 0
  }

  private var streamEnd: UInt64 {
    // What an epoch before the store's own has gone on with is not to be applied.
    if let writer = reader.writer, writer.term < database.term { return 0 }
    return max(reader.end?.last ?? 0, reader.missing ?? 0)
  }

  /// Returns figures about how the replica follows; from any thread.
  public func metrics() -> ReplicaMetrics {
    let time = clock()
    let end = database.end
    return account.withLock { account in
      var metrics = account.metrics
      metrics.appliedThrough = end
      metrics.lag = account.streamEnd > end ? account.streamEnd - end : 0
      metrics.lagSeconds = account.lastComplete.map { max(0, time - $0) }
      return metrics
    }
  }

  /// Ends the use of the store.
  public func close() throws { try database.close() }
}
