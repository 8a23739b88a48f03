/// A search for the samples to delete, one batch at a time, each in the newest snapshot.
///
/// The search holds no snapshot between batches, so that the space of replaced files can be
/// reclaimed, and its memory is limited to one batch and one block. It visits blocks in order of
/// their minimum start. Rows that it has not visited therefore start no earlier than the block at
/// which the last batch ended, even if rows have moved to other files since.
struct DeletionSearch {
  private let wanted: [(key: SeriesKey, filter: RowFilter)]
  /// The end of the store when the search began.
  ///
  /// Samples committed later are left to the next run, so the search terminates.
  private let last: UInt64
  private var next = 0
  private var from = -Double.infinity
  /// The number of samples found in each series.
  private var counts: [Int]

  /// Creates a search for the samples of a snapshot that satisfy the filters of their series.
  init(_ wanted: [(key: SeriesKey, filter: RowFilter)], in snapshot: Snapshot) {
    self.wanted = wanted
    last = snapshot.end
    counts = [Int](repeating: 0, count: wanted.count)
  }

  /// Whether the search is complete.
  var isFinished: Bool { next == wanted.count }

  /// The number of samples found so far.
  var count: Int { counts.reduce(0, +) }

  /// Returns the number of samples found so far in each series that has any.
  func series(_ symbols: SymbolTable) -> [ExpiryResult.Series] {
    zip(wanted, counts).compactMap { one, count in
      count == 0 ? nil : ExpiryResult.Series(one.key, count, symbols)
    }
  }

  /// Adds deletions of the next samples to a commit under preparation: up to `limit`, or fewer if
  /// their extras reach `extrasBytes` bytes.
  mutating func fill(
    _ preparation: inout Preparation, atMost limit: Int, extrasBytes: Int,
    _ inspect: (Row, Snapshot) throws -> Void
  ) throws {
    let snapshot = preparation.snapshot
    var rows: [Int32] = []
    var found = 0
    var bytes = 0
    /// Returns false if the batch is full.
    func take(_ row: Row) throws -> Bool {
      guard row.sequence <= last else { return true }
      if found == limit || bytes >= extrasBytes { return false }
      try inspect(row, snapshot)
      bytes += row.block.extras(at: row.row).count
      try preparation.delete(row)
      counts[next] += 1
      found += 1
      return true
    }
    while !isFinished {
      let key = wanted[next].key
      var filter = wanted[next].filter
      if filter.ids != nil {
        // Samples with given identifiers are looked up; those already deleted are not found again.
        for row in try snapshot.select([key], where: filter) where try !take(row) { return }
      } else {
        filter.start = filter.start.intersection(.from(from))
        var sources = try OrderedSources(
          snapshot, SeriesSelection([key], where: filter), .start(ascending: true),
          isLimited: true)
        while let source = sources.next() {
          from = max(from, source.zone.minStart)
          guard let block = try snapshot.select(from: source, [filter], isCached: false, &rows)
          else { continue }
          for row in rows where try !take(Row(block, Int(row))) { return }
        }
      }
      next += 1
      from = -.infinity
    }
  }
}
