internal import Dispatch
public import SampleLog

/// A copy of a store that changes only by applying the primary's commits from a stream.
///
/// The copy serves queries, feeds and observers like any other store, and accepts the primary's
/// anchors. Its progress is part of the store itself, so the stream can be lost and created again.
/// A replica is not thread-safe; its ``database`` is.
public final class Replica {
  /// The result of a step.
  public enum Step: Hashable, Sendable {
    /// Commits were applied, or messages were read whose commits the store already had.
    case advanced
    /// There was nothing to read.
    case idle
    /// Commits were missing; the next step reads the stream from its beginning.
    case rereading
  }

  /// The store.
  public let database: Database
  let transport: any StreamTransport
  private(set) var reader: HistoryReader
  private var isRereading = false
  /// The number of messages that were rejected even though the stream was read again.
  private var knownRejections = 0
  private var isCheckingRejections = false
  /// The number of consecutive reads at which the stream ended without this store's epoch.
  private var endsWithoutEpoch = 0
  private var batchLimit: Int
  /// The newest log at the time when sealed logs were last removed.
  private var releasedBefore: UInt64?
  private let keptLogCount: Int
  let clock: @Sendable () -> Double
  private let tracker = Locked(ReplicaTracker())
  let services: ServiceOutages
  /// Whether the stream answered the latest request.
  var isStreamReachable: Bool { tracker.withLock { $0.metrics.isStreamReachable } }
  /// Whether the replica must be created again from a backup.
  public var needsBackup: Bool { tracker.withLock { $0.metrics.needsBackup } }
  var reporting: Reporting?
  let removal: Locked<Removal>
  /// The source of copies for new replicas, or nil if the replica has no name.
  private let copies: CopySource?
  private var stepsUntilCopyCheck = 0
  /// The queue on which erased data is removed.
  let removing = DispatchQueue(label: "samplelog.erase", qos: .utility)

  /// Opens a replica.
  ///
  /// - Parameters:
  ///   - path: The directory, which must already be a replica's.
  ///   - transport: The primary's stream.
  ///   - options: The options for opening the store.
  ///   - fileSystem: The file system of the directory.
  ///   - batchLimit: The maximum number of messages to read at once.
  ///   - keptLogCount: The number of sealed logs to keep in case the stream loses their commits.
  ///     Values below 1 are treated as 1.
  ///   - name: The name under which the replica reports its progress, which must be unique among
  ///     the replicas of the store; nil to report nothing. A replica with a name also sends copies
  ///     of the store to new replicas that request them.
  /// - Throws: The errors of opening a store.
  public init(
    path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem(), batchLimit: Int = 64, keptLogCount: Int = 4,
    name: String? = nil
  ) throws {
    var options = options
    options.primaryName = options.primaryName ?? "the stream's writer"
    // After a promotion, the logs replace what the stream may have lost.
    options.keepsSealedLogs = true
    clock = options.clock
    database = try Database(path: path, options: options, fileSystem: fileSystem)
    services = ServiceOutages(database)
    self.transport = transport
    self.batchLimit = batchLimit
    self.keptLogCount = max(keptLogCount, 1)
    reader = HistoryReader(storeID: database.storeID)
    reporting = name.map { Reporting(name: $0) }
    copies = name == nil ? nil : CopySource(database, transport)
    let erasure = database.lastErasure
    let isPending = try database.mayHoldErased(through: erasure)
    removal = Locked(Removal(erasedThrough: isPending ? 0 : erasure))
  }

  /// Reads and applies the next messages, and reports the progress if it has changed.
  ///
  /// After an erasure, the step also starts to remove the erased data from the replica's files.
  ///
  /// - Throws: ``ReplicationError/needsBackup(end:)`` once the stream no longer continues the
  ///   store, ``ReplicationError/anotherStore``, an error of the stream, and errors of the disk,
  ///   after which the replica must be opened again.
  public func step() throws -> Step {
    let step = try readOn()
    removeErased()
    report()
    stepsUntilCopyCheck -= 1
    if stepsUntilCopyCheck < 0 {
      stepsUntilCopyCheck = Self.copyCheckInterval
      copies?.check()
    }
    return step
  }

  /// The number of steps between two checks for requests for a copy.
  private static let copyCheckInterval = 64

  private func readOn() throws -> Step {
    if needsBackup { throw ReplicationError.needsBackup(end: database.end) }
    let messages = try readMessages()
    if messages.isEmpty {
      try checkEpoch()
      if let missing = reader.missing, missing > database.end { return try readAgain() }
      if try confirmsPlace() {
        checkRejections()
        let time = clock()
        if lag == 0 { tracker.withLock { $0.lastComplete = time } }
      }
      return .idle
    }
    defer { tracker.withLock { $0.streamEnd = streamEnd } }
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

  /// Reads the last message once more, and restarts reading if it has changed.
  ///
  /// A changed message means that the stream has lost messages.
  ///
  /// - Returns: Whether the message is unchanged; false if the answer lacks it, as a stale one may.
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
      let wasAway = tracker.withLock { tracker in
        tracker.metrics.messageCount += messages.count
        tracker.metrics.isStreamReachable = true
        return tracker.outage.end()
      }
      if wasAway { database.report(.streamReachable) }
      return messages
    } catch {
      let reason = tracker.withLock { tracker in
        tracker.metrics.isStreamReachable = false
        return tracker.outage.fail("\(error)")
      }
      if let reason { database.report(.streamUnreachable(reason: reason)) }
      throw error
    }
  }

  private func readAgain() throws -> Step {
    // Commits that are still missing after reading from the beginning are no longer in the stream.
    if isRereading { throw lost() }
    restart()
    database.report(.resynchronizing(end: database.end))
    isRereading = true
    return .rereading
  }

  private func restart() {
    tracker.withLock { $0.metrics.resynchronizationCount += 1 }
    reader = HistoryReader(storeID: database.storeID)
  }

  /// Throws if the stream has lost the store's epoch.
  ///
  /// A single stale answer may end before the epoch, but not many in a row.
  private func checkEpoch() throws {
    let isMissing = reader.writer.map { $0.term < database.term } ?? false
    endsWithoutEpoch = isMissing ? endsWithoutEpoch + 1 : 0
    if endsWithoutEpoch > Self.staleAnswerLimit { throw lost() }
  }

  /// The number of consecutive answers that may be stale.
  static let staleAnswerLimit = 8

  /// Reads the stream again once after messages were rejected.
  ///
  /// The stream may have lost the message that caused their rejection.
  private func checkRejections() {
    guard reader.rejectedCount > knownRejections else { return }
    isCheckingRejections.toggle()
    if isCheckingRejections { restart() } else { knownRejections = reader.rejectedCount }
  }

  private func lost() -> ReplicationError {
    tracker.withLock { $0.metrics.needsBackup = true }
    database.report(.needsBackup(end: database.end))
    return .needsBackup(end: database.end)
  }

  /// Applies a message that this replica has appended itself.
  func take(_ message: StreamMessage) throws { try reader.take([message], apply) }

  private func apply(_ message: Message) throws {
    let end = database.end
    let (epoch, term) = (database.epoch, database.term)
    if message.writer.epoch != epoch {
      if message.writer.term < term {
        // Messages before this store's epoch are not applied.
        return
      }
      // A newer epoch that began before the end of this store has another history.
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
      // Rebuilt frames have no commit boundaries, so they cannot be applied in part.
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

  /// Removes all but the newest sealed logs, whose commits were read from the stream.
  private func releaseLogs() {
    guard let newest = database.newestLogFirst, newest != releasedBefore else { return }
    releasedBefore = newest
    // Logs that cannot be removed now are removed when the next log begins.
    try? database.releaseLogs(through: database.end, keeping: keptLogCount)
  }

  /// The number of records from the store's end to the end of the stream as last read.
  public var lag: UInt64 {
    streamEnd > database.end ? streamEnd - database.end : 0
  }

  private var streamEnd: UInt64 {
    // Messages of an epoch before the store's own are not applied.
    if let writer = reader.writer, writer.term < database.term { return 0 }
    return max(reader.end?.last ?? 0, reader.missing ?? 0)
  }

  /// Returns the replica's metrics; may be called on any thread.
  public func metrics() -> ReplicaMetrics {
    let time = clock()
    let end = database.end
    return tracker.withLock { tracker in
      var metrics = tracker.metrics
      metrics.appliedThrough = end
      metrics.lag = tracker.streamEnd > end ? tracker.streamEnd - end : 0
      metrics.lagSeconds = tracker.lastComplete.map { max(0, time - $0) }
      return metrics
    }
  }

  /// Closes the store.
  public func close() throws {
    removal.withLock { $0.isClosed = true }
    copies?.close()
    try database.close()
  }
}
