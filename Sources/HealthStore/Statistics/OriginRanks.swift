internal import SampleLog

/// The ranks of rows by the priority of their origins, for sweeps of rows in any order.
struct OriginRanks {
  /// The origins that have occurred.
  private(set) var ranks: SourceRanks

  private var origins: OriginCache

  /// No ranks yet.
  init(_ reader: RowReader, by priority: SourcePriority) {
    ranks = SourceRanks(by: priority)
    origins = OriginCache(reader)
  }

  /// The rank of a row, and whether it was inserted just now: then ranks that were not above it
  /// have moved down by one.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when the row makes no sense.
  mutating func rank(
    _ block: Block, _ row: Int, in snapshot: Snapshot
  ) throws -> (rank: Int, isNew: Bool) {
    if let rank = try origins.rank(block, row, in: snapshot) { return (rank, false) }
    let origin = try origins.origin(block, row, in: snapshot)
    let (rank, isNew) = ranks.rank(of: origin)
    if isNew { origins.insertRank(rank) }
    origins.keep(rank, block, row)
    return (rank, isNew)
  }
}
