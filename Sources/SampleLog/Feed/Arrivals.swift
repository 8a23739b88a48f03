/// The rows of a segment's series in the order of their sequence numbers.
final class Arrivals: Sendable {
  /// Sequence number relative to the segment's first, and the row's number within the segment.
  let entries: [UInt64]
  /// Whether rows are better copied in this order first than read where they are.
  let isScattered: Bool
  let locator: BlockLocator

  init(_ entries: [UInt64], of segment: Segment) {
    self.entries = entries
    locator = segment.withPointReadState { $0.locator }
    isScattered = Arrivals.isScattered(entries, locator)
  }

  static func entry(_ offset: UInt64, _ row: Int) -> UInt64 { offset << 32 | UInt64(row) }

  @inline(__always)
  static func offset(_ entry: UInt64) -> UInt64 { entry >> 32 }

  @inline(__always)
  static func row(_ entry: UInt64) -> Int { Int(entry & 0xFFFF_FFFF) }

  /// The first entry after a sequence number relative to the segment's first.
  func firstIndex(from offset: UInt64) -> Int {
    entries.indices.partition { Arrivals.offset(entries[$0]) < offset }
  }
}

extension Arrivals {
  /// So many decoded blocks are in the processor's cache, whatever order their rows are read in.
  private static let fewBlocks = 16
  /// More decoded blocks than this cannot be kept.
  private static let mostBlocks = 128

  /// Whether few rows are of any block that has one.
  private static func isSparse(_ entries: [UInt64], _ locator: BlockLocator) -> Bool {
    entries.count < 64 * Set(entries.lazy.map { locator.locate(row($0)).block }).count
  }

  /// Looks at some stretches of rows: at how many blocks they are in, and at how often the next
  /// row of a block is far from its last.
  private static func isScattered(_ entries: [UInt64], _ locator: BlockLocator) -> Bool {
    guard locator.blockCount > fewBlocks else { return false }
    // Of blocks that subjects share a person's few rows are not worth decoding.
    if entries.count * 8 < locator.rowCount, isSparse(entries, locator) { return true }
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
