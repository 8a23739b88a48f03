/// The rows of one log in memory, by series: what has been committed and not yet sealed.
///
/// One committing thread appends; readers look in under the lock for as long as it takes to copy
/// a list of chunks. Rows become visible through a snapshot's end, not by being here.
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
  @discardableResult
  func append(_ payload: CommitPayload, first: UInt64, time: Double) -> Set<SeriesKey> {
    state.withLock { state in
      state.skip(to: first)
      var touched = state.append(payload.deletions, kind: .deletion, time: time)
      touched.formUnion(state.append(payload.rows, kind: .sample, time: 0))
      state.skip(to: first + UInt64(payload.recordCount))
      return touched
    }
  }

  /// Whether no sequence number has been used.
  var isEmpty: Bool { state.withLock { $0.order.isEmpty } }

  var rowCount: Int { state.withLock { $0.rowCount } }

  /// The series that have rows, with the number of their rows.
  func series(_ kind: RowKind) -> [(key: SeriesKey, rows: Int)] {
    state.withLock { state in
      state.series.lazy.filter { $0.kind == kind }.map { ($0.key, $0.count) }
    }
  }

  /// Blocks of a series, rows up to a sequence number only.
  func blocks(_ key: SeriesKey, _ kind: RowKind, through end: UInt64) -> [MemTableBlock] {
    state.withLock { state in
      guard let number = state.numbers[BlockKey(key, kind)] else { return [] }
      return state.series[number].blocks(through: end, symbols: symbols)
    }
  }

  /// The newest row with an identifier that satisfies a condition on its sequence number.
  func find(_ id: Identifier, where isMatch: (UInt64) -> Bool) -> RowReference? {
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

  /// Rows saved under a synchronisation key, oldest first.
  func rows(syncKey: UInt64, through end: UInt64) -> [RowReference] {
    state.withLock { state in
      (state.syncRows[syncKey] ?? []).compactMap { location in
        let row = state.reference(location)
        return row.sequence <= end ? row : nil
      }
    }
  }

  /// Rows in order of sequence number, after one number through another, up to a limit; of some
  /// series or of all.
  func rows(
    after: UInt64, through end: UInt64, in series: [SeriesKey]?, limit: Int
  ) -> [RowReference] {
    state.withLock { state in
      guard after < end, end >= first else { return [] }
      if let series { return state.rows(after: after, through: end, in: series, limit: limit) }
      var result: [RowReference] = []
      var blocks: [UInt64: Block] = [:]
      var index = after < first ? 0 : Int(after + 1 - first)
      let last = min(Int(end - first) + 1, state.order.count)
      while index < last, result.count < limit {
        if let location = state.order[index].location {
          let key = UInt64(location.series) << 32 | UInt64(location.row >> 12)
          let block = blocks[key] ?? state.block(location)
          blocks[key] = block
          result.append(RowReference(block, location.row & 4095))
        }
        index += 1
      }
      return result
    }
  }

  /// The block of a series with the latest start date among rows up to a sequence number.
  func newestBlock(_ key: SeriesKey, through end: UInt64) -> MemTableBlock? {
    state.withLock { state in
      guard let number = state.numbers[BlockKey(key, .sample)] else { return nil }
      return state.series[number].newestBlock(through: end, symbols: symbols)
    }
  }
}

/// A block of the memtable's rows with the ranges they lie in.
struct MemTableBlock {
  var block: Block
  var zone: ZoneMap
}
