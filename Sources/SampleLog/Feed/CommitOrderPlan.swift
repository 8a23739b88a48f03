/// A plan for copying rows into commit order, grouped by block so that each block is decoded once.
struct CommitOrderPlan: Sendable {
  struct Placement: BitwiseCopyable {
    /// The row in its block.
    var row: Int32
    /// The row's position in commit order, relative to the first planned position.
    var position: Int32
  }

  private struct Source: BitwiseCopyable {
    var block: Int32
    var row: Int32
  }

  /// The placements grouped by source block, in commit order within each block.
  private let placements: [Placement]
  /// The end of each block's placements; the last element is the number of placements.
  private let ends: [Int]

  init(_ order: CommitOrder, _ range: Range<Int>) throws {
    let pieces = max(1, min(processorCount, range.count / 4096))
    let cuts = (0...pieces).map { range.count * $0 / pieces }
    let blockCount = order.locator.blockCount
    let found = try parallelMap(pieces) { piece in
      Self.locate(
        order, range.lowerBound + cuts[piece]..<range.lowerBound + cuts[piece + 1])
    }
    var next = found.map(\.counts)
    var ends = [Int](repeating: 0, count: blockCount)
    var total = 0
    for block in 0..<blockCount {
      for piece in 0..<pieces {
        (next[piece][block], total) = (total, total + next[piece][block])
      }
      ends[block] = total
    }
    self.ends = ends
    let first = next
    placements = try [Placement](unsafeUninitializedCapacity: total) { buffer, count in
      nonisolated(unsafe) let placements = buffer
      _ = try parallelMap(pieces) { piece in
        var next = first[piece]
        for (index, source) in found[piece].sources.enumerated() {
          let placement = Placement(row: source.row, position: Int32(cuts[piece] + index))
          placements.initializeElement(at: next[Int(source.block)], to: placement)
          next[Int(source.block)] += 1
        }
      }
      count = total
    }
  }

  var blockCount: Int { ends.count }

  /// Returns the placements out of a block.
  func placements(from block: Int) -> ArraySlice<Placement> {
    placements[(block == 0 ? 0 : ends[block - 1])..<ends[block]]
  }

  /// Locates the rows at a range of positions and counts the rows of each block.
  private static func locate(
    _ order: CommitOrder, _ range: Range<Int>
  ) -> (sources: [Source], counts: [Int]) {
    let locator = order.locator
    var counts = [Int](repeating: 0, count: locator.blockCount)
    let sources = [Source](unsafeUninitializedCapacity: range.count) { sources, count in
      for entry in order.entries[range] {
        let (block, row) = locator.locate(CommitOrder.row(entry))
        sources.initializeElement(at: count, to: Source(block: Int32(block), row: Int32(row)))
        counts[block] += 1
        count += 1
      }
    }
    return (sources, counts)
  }
}
