/// An estimate of the rows and bytes that compaction would remove from a segment.
///
/// Uses the directory and the deletion vector. If blocks of several series share a range of
/// sequence numbers, so that the directory does not determine the blocks of the deleted rows, reads
/// the sequence numbers of these blocks. Of deletions, reads sequence numbers and dates.
struct CompactionEstimate {
  private(set) var deletedRowCount = 0
  private(set) var forgettableRowCount = 0
  private(set) var byteCount = 0.0

  /// Creates an estimate; `isForgettable` receives a deletion's sequence number and date.
  init(_ segment: Segment, deleted: DeletionVector, isForgettable: (UInt64, Double) -> Bool) {
    for block in 0..<segment.blockCount {
      let zone = segment.zone(block)
      let gone: Int
      if segment.isSample(block) {
        let inRange = min(deleted.count(zone.minSequence, zone.maxSequence), zone.count)
        let rows = Self.deletedRows(segment, block, zone, inRange, deleted)
        // Compaction cannot rewrite an unreadable block, but its rows are deleted nevertheless.
        deletedRowCount += rows ?? inRange
        gone = rows ?? 0
      } else {
        gone = Self.rows(segment, block, .target, isForgettable) ?? 0
        forgettableRowCount += gone
      }
      if gone == 0 { continue }
      let bytes = segment.directory.bytes(block).count + DirectoryEntry.length
      byteCount += Double(bytes) * Double(gone) / Double(zone.count)
    }
    guard deletedRowCount > 0 else { return }
    let indexes = segment.footer[.keys].length + segment.footer[.syncKeys].length
    byteCount += Double(indexes) * Double(deletedRowCount) / Double(segment.sampleCount)
  }

  /// Returns the number of deleted rows of a block, or nil if the block cannot be read.
  ///
  /// `inRange`, the number of deletions in the block's range, is an upper bound.
  private static func deletedRows(
    _ segment: Segment, _ block: Int, _ zone: ZoneMap, _ inRange: Int, _ deleted: DeletionVector
  ) -> Int? {
    let isGapless = zone.maxSequence &- zone.minSequence == UInt64(zone.count - 1)
    if inRange == 0 || isGapless { return inRange }
    return rows(segment, block, []) { sequence, _ in deleted.contains(sequence) }
  }

  /// Returns the number of rows of a block that satisfy a condition, or nil if the block cannot be
  /// read.
  private static func rows(
    _ segment: Segment, _ index: Int, _ columns: ColumnSet,
    _ isGone: (UInt64, Double) -> Bool
  ) -> Int? {
    guard let block = try? segment.block(index, columns.union(.sequence)) else { return nil }
    let hasTime = columns.contains(.target)
    var count = 0
    for row in 0..<block.count
    where isGone(block.sequence[row], hasTime ? block.time[row] : 0) { count += 1 }
    return count
  }
}
