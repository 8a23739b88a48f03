/// Which rows of which blocks are at some positions of an order: block by block, so that each is
/// decoded once.
struct ArrivalPlan: Sendable {
  struct Move: BitwiseCopyable {
    /// The row in its block.
    var row: Int32
    /// The position in the order, counted from the first that is planned.
    var position: Int32
  }

  private struct Source: BitwiseCopyable {
    var block: Int32
    var row: Int32
  }

  /// The moves out of one block after the other, each block's in the order of arrival.
  private let moves: [Move]
  /// Where each block's moves end; the last is all of them.
  private let ends: [Int]

  init(_ arrivals: Arrivals, _ range: Range<Int>) throws {
    let pieces = max(1, min(processorCount, range.count / 4096))
    let cuts = (0...pieces).map { range.count * $0 / pieces }
    let blockCount = arrivals.locator.blockCount
    let found = try parallelMap(pieces) { piece in
      Self.locate(
        arrivals, range.lowerBound + cuts[piece]..<range.lowerBound + cuts[piece + 1])
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
    moves = try [Move](unsafeUninitializedCapacity: total) { buffer, count in
      nonisolated(unsafe) let moves = buffer
      _ = try parallelMap(pieces) { piece in
        var next = first[piece]
        for (index, source) in found[piece].sources.enumerated() {
          let move = Move(row: source.row, position: Int32(cuts[piece] + index))
          moves.initializeElement(at: next[Int(source.block)], to: move)
          next[Int(source.block)] += 1
        }
      }
      count = total
    }
  }

  var blockCount: Int { ends.count }

  /// The moves out of a block.
  func moves(from block: Int) -> ArraySlice<Move> {
    moves[(block == 0 ? 0 : ends[block - 1])..<ends[block]]
  }

  /// Finds the rows at some positions, and counts how many each block has.
  private static func locate(
    _ arrivals: Arrivals, _ range: Range<Int>
  ) -> (sources: [Source], counts: [Int]) {
    let locator = arrivals.locator
    var counts = [Int](repeating: 0, count: locator.blockCount)
    let sources = [Source](unsafeUninitializedCapacity: range.count) { sources, count in
      for entry in arrivals.entries[range] {
        let (block, row) = locator.locate(Arrivals.row(entry))
        sources.initializeElement(at: count, to: Source(block: Int32(block), row: Int32(row)))
        counts[block] += 1
        count += 1
      }
    }
    return (sources, counts)
  }
}
