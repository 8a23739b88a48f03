/// The rows of some series of a segment in commit order.
final class CommitOrder: Sendable {
  /// For each row, its sequence number relative to the segment's first (upper half) and its row
  /// number within the segment (lower half).
  let entries: [UInt64]
  /// Whether copying the rows into commit order is cheaper than reading them in place.
  let needsCopy: Bool
  let locator: BlockLocator

  /// Creates the order of rows that are in a number of blocks.
  init(_ entries: [UInt64], inBlocks blocks: Int, of segment: Segment) {
    self.entries = entries
    locator = segment.withPointReadState { $0.locator }
    needsCopy = CommitOrder.needsCopy(entries, inBlocks: blocks, locator)
  }

  static func entry(_ offset: UInt64, _ row: Int) -> UInt64 { offset << 32 | UInt64(row) }

  @inline(__always)
  static func offset(_ entry: UInt64) -> UInt64 { entry >> 32 }

  @inline(__always)
  static func row(_ entry: UInt64) -> Int { Int(entry & 0xFFFF_FFFF) }

  /// Returns the index of the first entry at or after an offset relative to the segment's first
  /// sequence number.
  func firstIndex(from offset: UInt64) -> Int {
    entries.indices.partition { CommitOrder.offset(entries[$0]) < offset }
  }
}

extension CommitOrder {
  /// The number of decoded blocks that fit into the processor's cache, so that the order of reads
  /// does not matter.
  private static let fewBlocks = 16
  /// The number of blocks per stretch above which a reader cannot keep all of them decoded.
  private static let mostBlocks = 128

  /// Returns whether copying is cheaper, estimated from stretches of the order.
  ///
  /// For each stretch, counts the blocks that it touches, and the steps at which the next row of a
  /// block is far from the previous one.
  private static func needsCopy(
    _ entries: [UInt64], inBlocks count: Int, _ locator: BlockLocator
  ) -> Bool {
    guard locator.blockCount > fewBlocks else { return false }
    // If subjects share blocks, decoding a whole block for one subject's few rows is wasteful:
    // fewer than 64 on average.
    if entries.count * 8 < locator.rowCount, entries.count < 64 * count { return true }
    let (length, stretches) = (4096, 8)
    var (blocks, jumps, steps) = (0, 0, 0)
    for stretch in 0..<stretches {
      let begin = max(0, entries.count - length) * stretch / (stretches - 1)
      var last: [Int: Int] = [:]
      for entry in entries[begin..<min(begin + length, entries.count)] {
        let (block, row) = locator.locate(row(entry))
        if let before = last.updateValue(row, forKey: block) {
          steps += 1
          jumps += (0..<32).contains(row - before) ? 0 : 1
        }
      }
      blocks += last.count
    }
    return blocks > mostBlocks * stretches || jumps * 4 > steps
  }
}
