internal import SampleLog

/// The ranks of rows by source priority, for rows in any order.
struct OriginRanks {
  /// The ranks assigned so far.
  private(set) var ranks: SourceRanks

  private var origins: OriginCache

  /// Creates an empty table of ranks.
  init(_ reader: RowReader, by priority: SourcePriority) {
    ranks = SourceRanks(by: priority)
    origins = OriginCache(reader)
  }

  /// Returns the rank of a row, and whether it is new.
  ///
  /// A new rank increases the ranks at or after it by one.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row is corrupt.
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
