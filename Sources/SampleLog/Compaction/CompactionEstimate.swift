/// What compaction would drop of a segment, and about how many bytes that is.
///
/// It is made of the directory and the set of deleted sequence numbers. Where they do not tell
/// which blocks the dead rows are in, because blocks of several series share a range of sequence
/// numbers, the sequence numbers of those blocks are read. Of deletions sequence numbers and dates
/// are read.
struct CompactionEstimate {
  private(set) var deadRowCount = 0
  private(set) var forgettableRowCount = 0
  private(set) var byteCount = 0.0

  /// Makes an estimate; `isForgettable` takes a deletion's sequence number and date.
  init(_ segment: Segment, dead: DeletionVector, isForgettable: (UInt64, Double) -> Bool) {
    for block in 0..<segment.blockCount {
      let zone = segment.zone(block)
      let gone: Int
      if segment.isSample(block) {
        let inRange = min(dead.count(zone.minSequence, zone.maxSequence), zone.count)
        let rows = Self.deadRows(segment, block, zone, inRange, dead)
        // Compaction could not drop the rows of a block that cannot be read, but they are deleted.
        deadRowCount += rows ?? inRange
        gone = rows ?? 0
      } else {
        gone = Self.rows(segment, block, .target, isForgettable) ?? 0
        forgettableRowCount += gone
      }
      if gone == 0 { continue }
      let bytes = segment.directory.bytes(block).count + DirectoryEntry.length
      byteCount += Double(bytes) * Double(gone) / Double(zone.count)
    }
    guard deadRowCount > 0 else { return }
    let indexes = segment.footer[.keys].length + segment.footer[.syncKeys].length
    byteCount += Double(indexes) * Double(deadRowCount) / Double(segment.sampleCount)
  }

  /// Returns the number of deleted rows of a block, at most the deletions in its range, or nil if
  /// the block cannot be read.
  private static func deadRows(
    _ segment: Segment, _ block: Int, _ zone: ZoneMap, _ inRange: Int, _ dead: DeletionVector
  ) -> Int? {
    let isGapless = zone.maxSequence &- zone.minSequence == UInt64(zone.count - 1)
    if inRange == 0 || isGapless { return inRange }
    return rows(segment, block, []) { sequence, _ in dead.contains(sequence) }
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
