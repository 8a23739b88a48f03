internal import Dispatch

/// A store of samples: an append-only log of commits with indexes, snapshots and a change feed.
///
/// All methods are thread-safe. Methods that access the disk block the calling thread.
///
/// Dates are numbers, in seconds since 2001-01-01 00:00 UTC, the reference date of Foundation.
/// Convert them with `Date(timeIntervalSinceReferenceDate:)` and
/// `Date.timeIntervalSinceReferenceDate`.
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
  /// The absolute path of the store's directory.
  public let path: String
  /// The access mode of the handle.
  public let mode: OpenMode
  /// The interned names of this handle.
  package let symbols: SymbolTable
  /// The identity of the store, which all its copies share.
  public let storeID: Identifier
  /// Distinguishes histories that diverged from the same store.
  ///
  /// Starts at 1; restoring, repairing or promoting a copy assigns a new random epoch.
  public var epoch: UInt32 { identity.epoch }

  var identity: StoreIdentity { snapshot().identity }
  package let options: Database.Options
  let fileSystem: any FileSystem
  let caches: Snapshot.Caches
  var events: EventSink? { caches.events }
  let notifier: CommitNotifier
  let state: Locked<DatabaseState>
  /// The snapshot of ``state``, for readers.
  private let published: Locked<PublishedState>
  let committer: Committer
  /// The durable end of the log.
  let tail: DurableTail
  /// The fencing state and, for a replica, the primary's floor.
  let replication = Locked(ReplicationState())
  /// The contents of the directory's publication marker file, or nil if it was never published.
  let publication: Locked<PublicationMarker?>
  /// The usage of subjects, if there is a quota.
  let usage: SubjectUsage?
  /// The activity counters since opening.
  let activity = Locked(StoreActivity())
  let sealing = DispatchQueue(label: "samplelog.seal", qos: .utility)
  /// The number of background sealings and merges so far.
  let backgroundWork = Locked(0)
  let compaction = DispatchQueue(label: "samplelog.compact", qos: .utility)
  /// The thread that is running ``compact(progress:isCancelled:)`` and its closures.
  let compactingThread = Locked<UInt?>(nil)
  /// The state of the tailing reader of a read-only handle; nil in a writing handle.
  let tailingReader: Locked<TailingReader?>
  /// Serialises acknowledgements with compaction's retention decision.
  ///
  /// Holds the decided floor until the new segment is published.
  let forgetting = Locked(UInt64(0))
  /// Serialises changes of registrations.
  let registering = Locked(())
  let delegates = DatabaseDelegates()
  let lock: (any FileLock)?

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: The store's directory; created if it does not exist and `mode` allows writing.
  ///   - mode: The access mode.
  ///   - options: The options.
  ///   - fileSystem: The file system of the directory.
  /// - Throws: ``StoreError/locked(path:holder:)`` if another handle has the store open for
  ///   writing, ``StoreError/notAStore(path:)`` if there is no store to read,
  ///   ``StoreError/isBackup(path:)`` on an attempt to write to a backup,
  ///   ``StoreError/replica(path:primary:)`` on an attempt to write to a replica,
  ///   ``StoreError/damaged(file:offset:reason:)`` if acknowledged data is damaged or missing or a
  ///   file belongs to another store, and ``StoreError/unsupportedVersion(file:version:)``.
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
      commitOrders: CommitOrderCache(
        capacity: options.feedOrderByteCount / 8,
        windowCapacity: options.blockCacheByteCount / CommitOrderWindow.bytesPerRow),
      indexes: IndexMemory(capacity: options.identifierIndexByteCount),
      events: options.onEvent.map { EventSink(path, $0) })
    Self.willOpen(at: path)
    try DirectoryMarker.check(path, mode, fileSystem, primaryName: options.primaryName)
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
    // Under the lock, because another process may have published the store before it was released.
    let marker = try PublicationMarker.read(path, fileSystem)
    var options = options.bounded
    let publishes = mode == .readWrite && options.primaryName == nil && options.keepsSealedLogs
    if mode == .readWrite, options.primaryName == nil {
      options.keepsSealedLogs = publishes || marker != nil
    }
    publication = Locked(publishes ? marker ?? PublicationMarker() : marker)
    self.options = options
    var recovery = Recovery(
      path: path, mode: mode, options: options, fileSystem: fileSystem, symbols: symbols,
      indexMemory: caches.indexes, events: caches.events)
    let recovered: Recovered
    do {
      recovered = try mode == .readWrite ? recovery.run() : recovery.runSteadily()
      // After the directory has proved to be a store, and before any of it can be published.
      if publishes, marker == nil { try PublicationMarker().write(to: path, fileSystem) }
    } catch {
      caches.events?.report(error)
      throw error
    }
    tailingReader = Locked(mode == .readWrite ? nil : TailingReader(recovered))
    storeID = recovered.storeID
    let first = DatabaseState(recovered, symbols: symbols, caches: caches)
    published = first.published
    state = Locked(first)
    usage = options.subjectQuota.map { SubjectUsage($0) }
    committer = Committer(writer: recovered.writer, next: recovered.end + 1)
    tail = DurableTail(end: recovered.end, delegates)
    recovered.writer?.onDurable = { [tail] in tail.advance(to: $0) }
    if mode == .readWrite, options.sealsInBackground {
      if recovered.memTables.count > 1 { scheduleSealing() } else { scheduleMerging() }
    }
    if let events {
      events.report(.opened(seconds: Self.seconds(since: start)))
      for damage in recovered.damages { events.report(StoreError(damage)) }
      if mode == .readWrite { checkSpace() }
    }
  }

  // Background work retains the database while it runs, so none is left to wait for. If that work
  // released the last reference, waiting for it here would deadlock.
  deinit {
    notifier.close(notifying: false)
    if mode == .readWrite { try? finish() }
    lock?.release()
  }

  /// Returns the name with a text, valid as long as the database is open.
  ///
  /// Texts are compared byte by byte.
  public func name(_ text: String) -> Name { symbols.name(of: symbols.intern(text)) }

  /// Returns the series of a subject and a type.
  public func series(subject: String, type: String) -> Series {
    symbols.series(of: SeriesKey(subject: symbols.intern(subject), type: symbols.intern(type)))
  }

  /// Returns a snapshot of everything committed so far.
  ///
  /// - Complexity: O(1).
  public func snapshot() -> Snapshot { published.withLock { $0.snapshot } }

  /// The newest committed sequence number.
  public var end: UInt64 { snapshot().end }

  /// The damage found when the store was opened with ``Options/toleratesDamage``.
  public var damages: [Damage] { state.withLock { $0.damages } }

  /// Makes all commits with ``Durability/buffered`` durable.
  ///
  /// - Throws: An error if that failed; buffered commits may then be lost.
  public func flush() throws {
    try checkWritable()
    try submitFlush()
  }

  /// Closes the store and releases its lock; open snapshots remain readable.
  ///
  /// - Throws: An error if buffered commits could not be made durable, and
  ///   ``StoreError/invalid(_:)`` if it is called from a compaction's closures.
  public func close() throws {
    try checkNotCompacting()
    if !isClosed { for delegate in delegates.all { delegate.databaseWillClose() } }
    state.withLock { $0.isClosing = true }
    // Recovery replays the log, so a log large enough for a segment is sealed now.
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
      // New work cannot begin, but running work writes to the directory until it ends.
      waitForBackgroundWork()
      lock?.release()
    }
    try finish()
  }

  /// Waits until no sealing or merging is in progress.
  package func waitForBackgroundWork() {
    sealing.sync {}
    compaction.sync {}
  }

  /// Throws if the directory has been replaced since the store was opened.
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
  package var isClosed: Bool { published.withLock { $0.isClosed } }
}
