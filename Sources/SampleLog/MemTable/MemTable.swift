/// The in-memory rows of one log, by series: rows that are committed but not yet sealed.
///
/// One committing thread appends. Readers hold the lock only to copy a list of chunks or the few
/// rows of a series. The end of a snapshot determines the visibility of rows, not their presence
/// in the memtable.
///
/// Functions throw only on an inline attempt, if a commit holds the lock.
final class MemTable: Sendable {
  /// The first sequence number that the memtable can hold.
  let first: UInt64
  let symbols: SymbolTable
  let state: Locked<MemTableState>

  init(first: UInt64, symbols: SymbolTable) {
    self.first = first
    self.symbols = symbols
    // A random key of this process: the producer of the files may know the store's key, and could
    // choose colliding identifiers.
    state = Locked(MemTableState(first: first, symbols: symbols, hash: .ofThisProcess))
  }

  /// Appends the payload of a commit, whose first record gets the sequence number `first`.
  ///
  /// Pass false for `isIndexed` to index the identifiers at the first look-up.
  ///
  /// - Returns: The series that have new rows, possibly with duplicates.
  @discardableResult
  func append(
    _ payload: CommitPayload, first: UInt64, time: Double, isIndexed: Bool = true
  ) -> [SeriesKey] {
    state.withLock { state in
      state.skip(to: first)
      let touched = state.append(
        payload.deletions, kind: .deletion, time: time, isIndexed: isIndexed)
      defer { state.skip(to: first + UInt64(payload.recordCount)) }
      return touched
        + state.append(payload.rows, kind: .sample, time: 0, isIndexed: isIndexed)
    }
  }

  /// Whether no sequence number has been assigned.
  var isEmpty: Bool { state.withLock { $0.order.isEmpty } }

  var rowCount: Int { state.withLock { $0.rowCount } }

  /// Returns the series that have rows, and their row counts.
  func series(_ kind: RowKind) -> [(key: SeriesKey, rows: Int)] {
    state.withLock { state in
      state.series.lazy.filter { $0.kind == kind }.map { ($0.key, Int($0.count)) }
    }
  }

  /// Returns the blocks of a series, limited to rows through a sequence number.
  func blocks(_ key: SeriesKey, _ kind: RowKind, through end: UInt64) throws -> [MemTableBlock] {
    try state.withLockInline { $0.blocks(key, kind, through: end) }
  }

  /// Returns the blocks of some series' samples, or of all, limited to rows through `end`.
  ///
  /// Each block has the filter index of its series, which is 0 if `wanted` is nil.
  func blocks(
    _ wanted: [(key: SeriesKey, filter: Int)]?, through end: UInt64
  ) throws -> [(block: MemTableBlock, filter: Int)] {
    let (own, shared) = try state.withLockInline { $0.blocks(wanted, through: end) }
    return own + shared.blocks(symbols)
  }

  /// Returns the newest row with an identifier whose sequence number satisfies a condition.
  func find(_ id: Identifier, where isMatch: (UInt64) -> Bool) throws -> Row? {
    try state.withLockInline { state in
      try state.indexNow()
      guard let location = state.find(id, where: isMatch) else { return nil }
      return state.reference(location)
    }
  }

  /// Returns the index of the first identifier that has a row with a matching sequence number.
  func firstMatch(
    _ ids: UnsafeBufferPointer<Identifier>, where isMatch: (UInt64) -> Bool
  ) -> Int? {
    state.withLock { state in
      state.indexAll()
      return state.firstMatch(ids, where: isMatch)
    }
  }

  /// Returns the newest row with a sync key and a matching sequence number in `after + 1 ... end`.
  ///
  /// Stops at `after`, because a sample that is replaced repeatedly can have thousands of deleted
  /// rows.
  func newest(
    syncKey: UInt64, after: UInt64 = 0, through end: UInt64, where isMatch: (UInt64) -> Bool
  ) -> Row? {
    state.withLock { state in
      for sequence in (state.syncRows[syncKey] ?? []).reversed() {
        if sequence <= after { return nil }
        if sequence <= end, isMatch(sequence), let row = state.order[Int(sequence - first)].location
        {
          return state.reference(row)
        }
      }
      return nil
    }
  }

  /// Returns up to `limit` rows of some series, or of all, with sequence numbers in
  /// `after + 1 ... end`, in commit order.
  func rows(
    after: UInt64, through end: UInt64, in series: [SeriesKey]?, limit: Int
  ) throws -> [Row] {
    try state.withLockInline { state in
      guard after < end, end >= first else { return [] }
      guard let series else { return state.rows(after: after, through: end, limit: limit) }
      return state.rows(after: after, through: end, in: series, limit: limit)
    }
  }

  /// Returns the visible block of a series with the latest start date.
  ///
  /// Of rows that the series shares with others, the block contains only the latest.
  func newestBlock(_ key: SeriesKey, through end: UInt64) throws -> MemTableBlock? {
    try state.withLockInline { $0.newestBlock(key, through: end) }
  }
}

/// A block of memtable rows and its zone map.
struct MemTableBlock {
  var block: Block
  var zone: ZoneMap
}
