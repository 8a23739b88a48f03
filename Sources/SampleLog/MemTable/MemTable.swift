/// The rows of one log in memory, by series: what has been committed and not yet sealed.
///
/// One committing thread appends; readers look in under the lock for as long as it takes to copy
/// a list of chunks, or the few rows of a series. Rows become visible through a snapshot's end, not
/// by being here.
final class MemTable: Sendable {
  /// The first sequence number the memtable may hold.
  let first: UInt64
  let symbols: SymbolTable
  let state: Locked<MemTableState>

  init(first: UInt64, symbols: SymbolTable) {
    self.first = first
    self.symbols = symbols
    // Not the store's own key: whoever made the files may know that one.
    state = Locked(MemTableState(first: first, symbols: symbols, hash: .ofThisProcess))
  }

  /// Appends what a commit carries; its first record gets the sequence number `first`.
  ///
  /// - Returns: The series that have new rows, some of them twice.
  @discardableResult
  func append(_ payload: CommitPayload, first: UInt64, time: Double) -> [SeriesKey] {
    state.withLock { state in
      state.skip(to: first)
      let touched = state.append(payload.deletions, kind: .deletion, time: time)
      defer { state.skip(to: first + UInt64(payload.recordCount)) }
      return touched + state.append(payload.rows, kind: .sample, time: 0)
    }
  }

  /// Whether no sequence number has been used.
  var isEmpty: Bool { state.withLock { $0.order.isEmpty } }

  var rowCount: Int { state.withLock { $0.rowCount } }

  /// The series that have rows, with the number of their rows.
  func series(_ kind: RowKind) -> [(key: SeriesKey, rows: Int)] {
    state.withLock { state in
      state.series.lazy.filter { $0.kind == kind }.map { ($0.key, Int($0.count)) }
    }
  }

  /// Blocks of a series, rows up to a sequence number only.
  func blocks(_ key: SeriesKey, _ kind: RowKind, through end: UInt64) -> [MemTableBlock] {
    state.withLock { $0.blocks(key, kind, through: end) }
  }

  /// Blocks of the samples of some series, or of all, rows up to a sequence number only; each with
  /// the number that its series were given, which of all is 0.
  func blocks(
    _ wanted: [(key: SeriesKey, filter: Int)]?, through end: UInt64
  ) -> [(block: MemTableBlock, filter: Int)] {
    let (own, shared) = state.withLock { $0.blocks(wanted, through: end) }
    return own + shared.blocks(symbols)
  }

  /// The newest row with an identifier that satisfies a condition on its sequence number.
  func find(_ id: Identifier, where isMatch: (UInt64) -> Bool) -> Row? {
    state.withLock { state in
      guard let location = state.find(id, where: isMatch) else { return nil }
      return state.reference(location)
    }
  }

  /// Whether any of some identifiers has a row that satisfies a condition; their rows.
  func firstMatch(
    _ ids: UnsafeBufferPointer<Identifier>, where isMatch: (UInt64) -> Bool
  ) -> Int? {
    state.withLock { $0.firstMatch(ids, where: isMatch) }
  }

  /// The newest row saved under a synchronisation key, after one sequence number through another,
  /// that satisfies a condition on its sequence number.
  ///
  /// A sample that is replaced again and again has thousands of dead rows before the live one.
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

  /// Rows in order of sequence number, after one number through another, up to a limit; of some
  /// series or of all.
  func rows(
    after: UInt64, through end: UInt64, in series: [SeriesKey]?, limit: Int
  ) -> [Row] {
    state.withLock { state in
      guard after < end, end >= first else { return [] }
      guard let series else { return state.rows(after: after, through: end, limit: limit) }
      return state.rows(after: after, through: end, in: series, limit: limit)
    }
  }

  /// The block of a series with the latest start date among rows up to a sequence number; of the
  /// rows that a series shares with others, the latest alone.
  func newestBlock(_ key: SeriesKey, through end: UInt64) -> MemTableBlock? {
    state.withLock { $0.newestBlock(key, through: end) }
  }
}

/// A block of the memtable's rows with the ranges they lie in.
struct MemTableBlock {
  var block: Block
  var zone: ZoneMap
}
