/// Everything committed up to one sequence number, whatever happens later.
///
/// A snapshot costs nothing to hold but the memory and files that only it still needs. All its
/// methods may be called from any thread at once.
///
/// ```swift
/// let snapshot = database.snapshot()
/// let latest = try snapshot.select([heartRate], order: .start(ascending: false), limit: 1)
/// ```
public final class Snapshot: Sendable {
  /// The newest sequence number that the snapshot sees.
  public let end: UInt64
  /// Anchors below this, 0 excepted, have expired: deletions up to it have been forgotten.
  public let floor: UInt64
  /// What the rows' symbols stand for.
  package let symbols: SymbolTable

  let identity: StoreIdentity
  let segments: [Segment]
  let memTables: [MemTable]
  let dead: DeletionVector
  /// Who was erased; of deletions it decides which are gone.
  let erasures: [Symbol: Erasure]
  let caches: Caches

  /// What readers of one database share.
  struct Caches: Sendable {
    let blocks: BlockCache
    let arrivals: ArrivalCache
    let indexes: IndexMemory
    let events: EventSink?

    /// Releases segments that are no longer part of the store, and keeps nothing of them from now
    /// on.
    func release(_ segments: [Segment]) {
      for segment in segments { segment.retire() }
      blocks.forget(segments)
      arrivals.forget(segments)
    }
  }

  init(
    identity: StoreIdentity, end: UInt64, floor: UInt64, symbols: SymbolTable,
    segments: [Segment], memTables: [MemTable], dead: DeletionVector,
    erasures: [Symbol: Erasure], caches: Caches
  ) {
    self.identity = identity
    self.end = end
    self.floor = floor
    self.symbols = symbols
    self.segments = segments
    self.memTables = memTables
    self.dead = dead
    self.erasures = erasures
    self.caches = caches
  }

  /// The series that have samples, dead ones included, in no particular order.
  public var allSeries: [Series] { series.map { symbols.series(of: $0) } }

  /// The text of a name.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` for a name of another database.
  public func text(_ name: Name) throws -> String { symbols.text(try symbols.symbol(of: name)) }

  /// The subjects and types that have samples, dead ones included, in no particular order.
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

  /// The types of which a subject has rows of some kinds, dead ones included, in no particular
  /// order.
  ///
  /// - Complexity: O(log *n*) for each segment and type, however many other subjects there are.
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
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when its block cannot be read.
  public func row(_ id: Identifier) throws -> Row? {
    for memTable in memTables.reversed() {
      if let row = memTable.find(id, where: { $0 <= end && !dead.contains($0) }) { return row }
    }
    // The cache misses of all segments overlap; one after another they would be waited for.
    if segments.count > 1 { prefetch(id) }
    for index in segments.indices.reversed() {
      if let row = try withSegment(index, { try row(id, in: $0) }), !dead.contains(row.sequence) {
        return row
      }
    }
    return nil
  }

  /// Asks for the memory that looking up an identifier reads first.
  func prefetch(_ id: Identifier) {
    for index in segments.indices { withSegment(index) { $0.prefetch(id) } }
  }

  /// Uses a segment without counting a reference to it: with many segments that is a good part of
  /// looking an identifier up.
  @inline(__always)
  private func withSegment<Result>(
    _ index: Int, _ body: (Segment) throws -> Result
  ) rethrows -> Result {
    defer { withExtendedLifetime(self) {} }
    return try Unmanaged.passUnretained(segments[index])._withUnsafeGuaranteedRef(body)
  }

  /// Reads the sample of a segment with an identifier.
  private func row(_ id: Identifier, in segment: Segment) throws -> Row? {
    // Captures nothing: references would be counted for each segment.
    let location = try segment.find(id) { segment, block, rows in
      // Comes from memory while identifiers are read.
      segment.withEncodedBlock(block) { $0.prefetch(rows) }
    }
    return try location.map { try caches.blocks.row(segment, $0, id: id) }
  }

  /// Returns the live sample of a series saved under a synchronisation identifier.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
  public func row(_ series: Series, syncIdentifier: [UInt8]) throws -> Row? {
    try row(symbols.keys(of: [series])[0], syncIdentifier: syncIdentifier)
  }

  package func row(_ key: SeriesKey, syncIdentifier: [UInt8]) throws -> Row? {
    let hash = syncKey(
      subject: symbols.name(key.subject), type: symbols.name(key.type),
      syncIdentifier: syncIdentifier)
    func isIt(_ row: Row) throws -> Bool {
      guard row.key == key, !dead.contains(row.sequence)
      else { return false }
      return try extras(of: row).syncIdentifier == syncIdentifier
    }
    for memTable in memTables.reversed() {
      var through = end
      while let row = memTable.newest(
        syncKey: hash, through: through, where: { !dead.contains($0) })
      {
        if try isIt(row) { return row }
        // Another identifier has the same hash.
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

  /// One row: from a block at hand, else decoded by itself.
  func reference(_ segment: Segment, _ location: (block: Int, row: Int)) throws -> Row {
    try caches.blocks.row(segment, location, id: nil)
  }
}
