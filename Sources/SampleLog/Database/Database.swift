internal import Dispatch

/// A store of samples: an append-only log of commits, with indexes, snapshots and a change feed.
///
/// All methods may be called from any thread. Those that touch a disk block the calling thread.
///
/// Dates are numbers, in seconds since 2001-01-01 00:00 UTC, the reference date of Foundation:
/// `Date(timeIntervalSinceReferenceDate:)` makes a date of one, and the date's
/// `timeIntervalSinceReferenceDate` is one.
///
/// ```swift
/// let database = try Database(path: path)
/// let heartRate = database.series(subject: "ada", type: "heartRate")
/// var batch = database.makeBatch()
/// batch.add(to: heartRate, start: 0, value: 62)
/// try database.commit(batch)
/// let snapshot = database.snapshot()
/// let latest = try snapshot.select([heartRate], order: .start(ascending: false), limit: 1)
/// ```
public final class Database: Sendable {
  /// Where the store is.
  public let path: String
  /// Whether it was opened for reading only.
  public let mode: OpenMode
  /// The byte strings that rows name by number, for this process.
  package let symbols: SymbolTable
  /// The store's identity, kept through its life and that of its copies.
  public let storeID: Identifier
  /// Tells apart what became of the store's copies: it is 1 at first, and another, random number
  /// from each restoring, repair or promotion on.
  public var epoch: UInt32 { identity.epoch }

  var identity: StoreIdentity { snapshot().identity }
  package let options: Database.Options
  let fileSystem: any FileSystem
  let caches: Snapshot.Caches
  var events: EventSink? { caches.events }
  let notifier: CommitNotifier
  let state: Locked<DatabaseState>
  let committer: Committer
  /// How far the log is durable.
  let tail: DurableTail
  /// Why nothing more may be saved, and what a replica may forget.
  let replication = Locked(ReplicationState())
  /// The directory's mark; nil in one that was never published.
  let publication: Locked<PublicationMark?>
  /// What subjects have, where that is limited.
  let usage: SubjectUsage?
  /// What was done since it was opened.
  let activity = Locked(StoreActivity())
  let sealing = DispatchQueue(label: "samplelog.seal", qos: .utility)
  /// How often something was sealed or merged in the background.
  let backgroundWork = Locked(0)
  let compaction = DispatchQueue(label: "samplelog.compact", qos: .utility)
  /// The thread that is in ``compact(progress:isCancelled:)``, which its closures run on.
  let compactingThread = Locked<UInt?>(nil)
  /// Where a handle that only reads goes on; nil in one that writes.
  let follower: Locked<Follower?>
  /// Held while subscriptions acknowledge and while a compaction decides what it may forget; what
  /// it decided, until its segment counts.
  let forgetting = Locked(UInt64(0))
  /// Held while registrations are changed.
  let registering = Locked(())
  let delegates = DatabaseDelegates()
  let lock: (any FileLock)?

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: The store's directory; made when it does not exist and `mode` allows writing.
  ///   - mode: What the store is opened for.
  ///   - options: How.
  ///   - fileSystem: Where the directory is.
  /// - Throws: ``StoreError/locked(path:holder:)`` when another handle writes to it,
  ///   ``StoreError/notAStore(path:)`` when there is nothing to read,
  ///   ``StoreError/isBackup(path:)`` when writing to a backup is asked for,
  ///   ``StoreError/replica(path:primary:)`` when writing to a replica is,
  ///   ``StoreError/damaged(file:offset:reason:)`` when acknowledged data is damaged or missing or
  ///   a file is another store's, and ``StoreError/unsupportedVersion(file:version:)``.
  public init(
    path: String, mode: OpenMode = .readWrite, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    if path.utf8.contains(0) { throw StoreError.invalid("A path has no NUL in it.") }
    let start = ContinuousClock.now
    let path = try fileSystem.absolute(path)
    self.path = path
    self.mode = mode
    self.fileSystem = fileSystem
    symbols = SymbolTable()
    notifier = CommitNotifier(symbols)
    caches = Snapshot.Caches(
      blocks: BlockCache(capacity: options.blockCacheByteCount),
      arrivals: ArrivalCache(
        capacity: options.feedOrderByteCount / 8,
        windowCapacity: options.blockCacheByteCount / ArrivalWindow.bytesPerRow),
      indexes: IndexMemory(capacity: options.identifierIndexByteCount),
      events: options.onEvent.map { EventSink(path, $0) })
    Self.willOpen(at: path)
    try DirectoryMark.check(path, mode, fileSystem, primaryName: options.primaryName)
    if mode == .readWrite {
      try fileSystem.createDirectory(path)
      do {
        lock = try fileSystem.lock(path + "/" + FileNames.lock)
      } catch StoreError.locked(_, let holder) {
        throw StoreError.locked(path: path, holder: holder)
      }
    } else {
      lock = nil
    }
    // Under the lock, because another process may have published the store until now.
    let mark = try PublicationMark.read(path, fileSystem)
    var options = options.bounded
    let publishes = mode == .readWrite && options.primaryName == nil && options.keepsSealedLogs
    if mode == .readWrite, options.primaryName == nil {
      options.keepsSealedLogs = publishes || mark != nil
    }
    publication = Locked(publishes ? mark ?? PublicationMark() : mark)
    self.options = options
    var recovery = Recovery(
      path: path, mode: mode, options: options, fileSystem: fileSystem, symbols: symbols,
      indexMemory: caches.indexes, events: caches.events)
    let recovered: Recovered
    do {
      recovered = try mode == .readWrite ? recovery.run() : recovery.runSteadily()
      // Once the directory has proved to be a store, and before anything of it can be published.
      if publishes, mark == nil { try PublicationMark().write(to: path, fileSystem) }
    } catch {
      caches.events?.report(error)
      throw error
    }
    follower = Locked(mode == .readWrite ? nil : Follower(recovered))
    storeID = recovered.storeID
    state = Locked(DatabaseState(recovered, symbols: symbols, caches: caches))
    usage = options.subjectQuota.map { SubjectUsage($0) }
    committer = Committer(writer: recovered.writer, next: recovered.end + 1)
    tail = DurableTail(end: recovered.end, delegates)
    recovered.writer?.didSettle = { [tail] in tail.settle($0) }
    if mode == .readWrite, options.sealsInBackground {
      if recovered.memTables.count > 1 { scheduleSealing() } else { scheduleMerging() }
    }
    if let events {
      events.report(.opened(seconds: Self.seconds(since: start)))
      for damage in recovered.damages { events.report(StoreError(damage)) }
      if mode == .readWrite { checkSpace() }
    }
  }

  // Background work holds the database while it runs, so none is left to wait for here; waiting
  // would never end if that work let go of the last reference.
  deinit {
    notifier.close(notifying: false)
    if mode == .readWrite { try? finish() }
    lock?.release()
  }

  /// Returns the name that a text has in this database, for as long as it is open.
  ///
  /// Names are compared byte by byte.
  public func name(_ text: String) -> Name { symbols.name(of: symbols.intern(text)) }

  /// Returns the series of a subject and a type.
  public func series(subject: String, type: String) -> Series {
    symbols.series(of: SeriesKey(subject: symbols.intern(subject), type: symbols.intern(type)))
  }

  /// Everything committed so far.
  ///
  /// - Complexity: O(1).
  public func snapshot() -> Snapshot { state.withLock { $0.snapshot } }

  /// The newest sequence number committed.
  public var end: UInt64 { snapshot().end }

  /// What was found damaged when the store was opened, if that was tolerated.
  public var damages: [Damage] { state.withLock { $0.damages } }

  /// Makes everything committed with ``Durability/buffered`` durable.
  ///
  /// - Throws: An error when that failed; what was buffered may then be lost.
  public func flush() throws {
    try checkWritable()
    try submitFlush()
  }

  /// Ends the use of the store and releases its lock; reading goes on from open snapshots.
  ///
  /// - Throws: An error when buffered commits could not be made durable, and
  ///   ``StoreError/invalid(_:)`` when it is called by what a compaction calls.
  public func close() throws {
    try checkNotCompacting()
    if !isClosed { for delegate in delegates.all { delegate.databaseWillClose() } }
    state.withLock { $0.isClosing = true }
    // Opening replays what is in the log, so a log worth a segment becomes one now.
    if mode == .readWrite, state.withLock({ !$0.isClosed && $0.active.rowCount >= 8192 }) {
      try? seal()
      if options.sealsInBackground { try? mergeSmallSegments() }
    }
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    notifier.close(notifying: true)
    guard mode == .readWrite else { return }
    defer {
      // No more work begins, but what is under way writes to the directory until it ends.
      waitForBackgroundWork()
      lock?.release()
    }
    try finish()
  }

  /// Waits until no sealing and no merging is under way.
  package func waitForBackgroundWork() {
    sealing.sync {}
    compaction.sync {}
  }

  /// Throws when what is written here would go elsewhere than into the store that was opened.
  ///
  /// - Complexity: Two system calls.
  package func checkInPlace() throws {
    guard let lock else { return }
    if !lock.isOwn { throw StoreError.forked(path: path) }
    if try !lock.isInPlace() { throw StoreError.replaced(path: path) }
  }

  func checkWritable() throws {
    if mode == .readOnly { throw StoreError.readOnly }
    try checkOpen()
  }

  func checkOpen() throws {
    if state.withLock({ $0.isClosed }) { throw StoreError.closed }
  }

  /// Whether the database is closed or being closed.
  package var isClosed: Bool { state.withLock { $0.isClosed || $0.isClosing } }
}
