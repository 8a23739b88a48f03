/// Finds the samples that are to go, a batch at a time, each from the store's newest snapshot.
///
/// No snapshot is held in between, so files that are replaced meanwhile give their space back, and
/// the memory taken is that of a batch and a block. Blocks are taken in order of their least start:
/// whatever was not looked at yet starts no earlier than the block where the last batch ended, also
/// when rows have moved to other files since.
struct DeletionSearch {
  private let wanted: [(key: SeriesKey, filter: RowFilter)]
  /// What was saved later is left for the next time, so the work has an end.
  private let last: UInt64
  private var next = 0
  private var from = -Double.infinity
  /// How many were found of each.
  private var counts: [Int]

  /// Looks for samples of a snapshot that satisfy the filters of their series.
  init(_ wanted: [(key: SeriesKey, filter: RowFilter)], in snapshot: Snapshot) {
    self.wanted = wanted
    last = snapshot.end
    counts = [Int](repeating: 0, count: wanted.count)
  }

  /// Whether everything was looked at.
  var isFinished: Bool { next == wanted.count }

  /// How many were found so far.
  var count: Int { counts.reduce(0, +) }

  /// What was found so far.
  func series(_ symbols: SymbolTable) -> [ExpiryResult.Series] {
    zip(wanted, counts).compactMap { one, count in
      count == 0 ? nil : ExpiryResult.Series(one.key, count, symbols)
    }
  }

  /// Adds the next samples to a commit that is being prepared, up to `limit`, or until their
  /// extras have `extrasBytes` bytes.
  mutating func fill(
    _ preparation: inout Preparation, atMost limit: Int, extrasBytes: Int,
    _ inspect: (Row, Snapshot) throws -> Void
  ) throws {
    let snapshot = preparation.snapshot
    var rows: [Int32] = []
    var found = 0
    var bytes = 0
    /// Returns false when there is no room for the row.
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
        // Looked up where they are few; what was deleted already is not found again.
        for row in try snapshot.select([key], where: filter) where try !take(row) { return }
      } else {
        filter.start = filter.start.intersection(.from(from))
        var sources = OrderedSources(
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
