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
        gone = Self.deadRows(segment, block, zone, dead)
        deadRowCount += gone
      } else {
        gone = Self.rows(segment, block, .target, isForgettable)
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

  private static func deadRows(
    _ segment: Segment, _ block: Int, _ zone: ZoneMap, _ dead: DeletionVector
  ) -> Int {
    let inRange = dead.count(zone.minSequence, zone.maxSequence)
    // No more than the rows are dead whatever a zone says.
    let isGapless = zone.maxSequence &- zone.minSequence == UInt64(zone.count - 1)
    if inRange == 0 || isGapless { return min(inRange, zone.count) }
    return rows(segment, block, []) { sequence, _ in dead.contains(sequence) }
  }

  /// The rows of a block that satisfy a condition; none of one that cannot be read, which
  /// compaction could not rewrite either.
  private static func rows(
    _ segment: Segment, _ index: Int, _ columns: ColumnSet,
    _ isGone: (UInt64, Double) -> Bool
  ) -> Int {
    guard let block = try? segment.block(index, columns.union(.sequence)) else { return 0 }
    let hasTime = columns.contains(.target)
    var count = 0
    for row in 0..<block.count
    where isGone(block.sequence[row], hasTime ? block.time[row] : 0) { count += 1 }
    return count
  }
}
