/// A consistent, immutable view of the store as of one sequence number.
///
/// An open snapshot retains only the memory and files that newer versions of the store no longer
/// need. All methods are thread-safe.
///
/// ```swift
/// let snapshot = database.snapshot()
/// let latest = try snapshot.select([heartRate], order: .start(ascending: false), limit: 1)
/// ```
public final class Snapshot: Sendable {
  /// The newest sequence number visible in the snapshot.
  public let end: UInt64
  /// The retention floor: anchors below it, except 0, have expired.
  ///
  /// Deletions with sequence numbers below it have been discarded.
  public let floor: UInt64
  /// The table that resolves the rows' symbols.
  package let symbols: SymbolTable

  let identity: StoreIdentity
  let segments: [Segment]
  let memTables: [MemTable]
  let deleted: DeletionVector
  /// The erasures, by subject; they determine which deletions are no longer visible.
  package let erasures: [Symbol: Erasure]
  let caches: Caches

  /// The caches that all readers of a database share.
  struct Caches: Sendable {
    let blocks: BlockCache
    let commitOrders: CommitOrderCache
    let indexes: IndexMemory
    let events: EventSink?

    /// Evicts segments that are no longer part of the store, and prevents caching them again.
    func release(_ segments: [Segment]) {
      for segment in segments { segment.retire() }
      blocks.forget(segments)
      commitOrders.forget(segments)
    }
  }

  init(
    identity: StoreIdentity, end: UInt64, floor: UInt64, symbols: SymbolTable,
    segments: [Segment], memTables: [MemTable], deleted: DeletionVector,
    erasures: [Symbol: Erasure], caches: Caches
  ) {
    self.identity = identity
    self.end = end
    self.floor = floor
    self.symbols = symbols
    self.segments = segments
    self.memTables = memTables
    self.deleted = deleted
    self.erasures = erasures
    self.caches = caches
  }

  /// The series that have samples, including deleted ones, in no particular order.
  public var allSeries: [Series] { series.map { symbols.series(of: $0) } }

  /// Returns the text of a name.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the name belongs to another database.
  public func text(_ name: Name) throws -> String { symbols.text(try symbols.symbol(of: name)) }

  /// The series that have samples, including deleted ones, in no particular order.
  package var series: [SeriesKey] {
    var keys: Set<SeriesKey> = []
    for segment in segments {
      keys.formUnion(segment.series.keys.lazy.filter { $0.kind == .sample }.map(\.series))
    }
    for memTable in memTables {
      for series in memTable.series(.sample) { keys.insert(series.key) }
    }
    return Array(keys)
  }

  /// Returns the series of a subject that have rows of the given kinds, including deleted ones, in
  /// no particular order.
  ///
  /// - Complexity: O(log *n*) per segment and type, independent of the number of other subjects.
  package func series(of subject: Symbol, _ kinds: Set<RowKind> = [.sample]) -> [SeriesKey] {
    var keys: Set<SeriesKey> = []
    for segment in segments {
      for key in segment.series.keys(of: subject) where kinds.contains(key.kind) {
        keys.insert(key.series)
      }
    }
    for memTable in memTables {
      for kind in kinds {
        for series in memTable.series(kind) where series.key.subject == subject {
          keys.insert(series.key)
        }
      }
    }
    return Array(keys)
  }

  /// Returns the live sample with an identifier.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if its block cannot be read.
  public func row(_ id: Identifier) throws -> Row? {
    for memTable in memTables.reversed() {
      let row = try memTable.find(id) { $0 <= end && !deleted.contains($0) }
      if let row { return row }
    }
    // Prefetching lets the cache misses of all segments overlap.
    if segments.count > 1 { prefetch(id) }
    for index in segments.indices.reversed() {
      if let row = try withSegment(index, { try row(id, in: $0) }), !deleted.contains(row.sequence)
      {
        return row
      }
    }
    return nil
  }

  /// Prefetches the memory that a look-up of an identifier reads first.
  func prefetch(_ id: Identifier) {
    for index in segments.indices { withSegment(index) { $0.prefetch(id) } }
  }

  /// Calls a function with a segment without reference counting, which would be a large part of the
  /// cost of a look-up with many segments.
  @inline(__always)
  private func withSegment<Result>(
    _ index: Int, _ body: (Segment) throws -> Result
  ) rethrows -> Result {
    defer { withExtendedLifetime(self) {} }
    return try Unmanaged.passUnretained(segments[index])._withUnsafeGuaranteedRef(body)
  }

  /// Returns the sample of a segment with an identifier.
  private func row(_ id: Identifier, in segment: Segment) throws -> Row? {
    // The closure captures nothing, which avoids reference counting for each segment.
    let location = try segment.find(id) { segment, block, rows in
      // Overlaps this memory access with reading the identifiers.
      segment.withEncodedBlock(block) { $0.prefetch(rows) }
    }
    return try location.map { try caches.blocks.row(segment, $0, id: id) }
  }

  /// Returns the live sample of a series with a sync identifier.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the series belongs to another database, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  public func row(_ series: Series, syncIdentifier: [UInt8]) throws -> Row? {
    try row(symbols.key(of: series), syncIdentifier: syncIdentifier)
  }

  package func row(_ key: SeriesKey, syncIdentifier: [UInt8]) throws -> Row? {
    try InlineWork.refuse()
    let hash = syncKey(
      subject: symbols.name(key.subject), type: symbols.name(key.type),
      syncIdentifier: syncIdentifier)
    func isIt(_ row: Row) throws -> Bool {
      guard row.key == key, !deleted.contains(row.sequence)
      else { return false }
      return try extras(of: row).syncIdentifier == syncIdentifier
    }
    for memTable in memTables.reversed() {
      var through = end
      while let row = memTable.newest(
        syncKey: hash, through: through, where: { !deleted.contains($0) })
      {
        if try isIt(row) { return row }
        // A hash collision with another sync identifier.
        through = row.sequence - 1
      }
    }
    for segment in segments.reversed() {
      for location in try segment.find(syncKey: hash).reversed() {
        let row = try reference(segment, location)
        if try isIt(row) { return row }
      }
    }
    return nil
  }

  /// Returns one row, from a cached block or decoded on its own.
  func reference(_ segment: Segment, _ location: (block: Int, row: Int)) throws -> Row {
    try caches.blocks.row(segment, location, id: nil)
  }
}
