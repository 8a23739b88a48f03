/// The keys of a segment being written, until its index is built from them.
///
/// They are kept in pieces by the uppermost bits of their hashes, which are also what decides on
/// buckets in the index: so building it works on one piece at a time, which fits the processor's
/// cache. In one piece every key would be a cache miss or two.
package struct KeyIndexBuilder {
  /// Twelve bytes; with the hash in one piece it would be sixteen.
  struct Entry {
    private let low: UInt32
    private let high: UInt32
    let row: UInt32

    @inline(__always)
    init(hash: UInt64, row: UInt32) {
      low = UInt32(truncatingIfNeeded: hash)
      high = UInt32(truncatingIfNeeded: hash >> 32)
      self.row = row
    }

    @inline(__always)
    var hash: UInt64 { UInt64(high) << 32 | UInt64(low) }
  }

  private static let rowsPerPiece = 8192
  private var pieces: [[Entry]]
  private let shift: UInt64
  package private(set) var count = 0

  /// - Parameter expected: About how many keys will come.
  package init(expecting expected: Int) {
    var bits = 0
    while bits < 10, expected >> bits > Self.rowsPerPiece { bits += 1 }
    shift = UInt64(64 - bits)
    // A tenth more, because pieces differ.
    let rows = expected >> bits
    pieces = (0..<1 << bits).map { _ in
      var piece: [Entry] = []
      piece.reserveCapacity(rows + rows / 10 + 16)
      return piece
    }
  }

  /// Adds the hash of a row's key.
  package mutating func add(_ hash: UInt64, row: UInt32) {
    pieces[Int(hash >> shift)].append(Entry(hash: hash, row: row))
    count += 1
  }

  /// Adds keys of successive rows.
  package mutating func add(_ ids: [Identifier], _ hash: KeyHash, firstRow: Int) {
    let shift = shift
    pieces.withUnsafeMutableBufferPointer { pieces in
      for (index, id) in ids.enumerated() {
        let hash = hash(id)
        // A shift by the full width gives 0, the one piece.
        pieces[Int(hash >> shift)].append(Entry(hash: hash, row: UInt32(firstRow + index)))
      }
    }
    count += ids.count
  }

  /// Calls a function with the hash of each key, roughly in rising order.
  @inline(__always)
  func forEachHash(_ body: (UInt64) -> Void) {
    for piece in pieces { for entry in piece { body(entry.hash) } }
  }

  /// Calls a function with each bucket of a table that has entries and with how many those are.
  ///
  /// Places rise; one on the border of two pieces may come twice.
  ///
  /// - Parameters:
  ///   - home: The bucket of a hash, which must not fall as the hash rises.
  ///   - body: Takes a bucket and how many entries it has.
  func forEachCount(_ home: (UInt64) -> Int, _ body: (Int, Int) -> Void) {
    var ends: [Int] = []
    for piece in pieces.indices {
      let first = countBuckets(of: piece, into: &ends, home)
      for bucket in 0..<ends.count - 1 where ends[bucket + 1] > ends[bucket] {
        body(first + bucket, ends[bucket + 1] - ends[bucket])
      }
    }
  }

  /// As ``forEachCount(_:_:)``, with the entries themselves in the order in which they were added.
  func forEachBucket(_ home: (UInt64) -> Int, _ body: (Int, ArraySlice<Entry>) -> Void) {
    var bounds: [Int] = []
    var next: [Int] = []
    var sorted: [Entry] = []
    for piece in pieces.indices {
      let first = countBuckets(of: piece, into: &bounds, home)
      next.removeAll(keepingCapacity: true)
      next.append(contentsOf: bounds)
      let missing = pieces[piece].count - sorted.count
      if missing > 0 { sorted.append(contentsOf: pieces[piece].suffix(missing)) }
      for entry in pieces[piece] {
        let bucket = home(entry.hash) - first
        sorted[next[bucket]] = entry
        next[bucket] += 1
      }
      for bucket in 0..<bounds.count - 1 where bounds[bucket + 1] > bounds[bucket] {
        body(first + bucket, sorted[bounds[bucket]..<bounds[bucket + 1]])
      }
    }
  }

  /// Counts where entries of each bucket of a piece begin; returns the first bucket.
  private func countBuckets(
    of piece: Int, into bounds: inout [Int], _ home: (UInt64) -> Int
  ) -> Int {
    let low = UInt64(piece) << shift
    let first = home(low)
    let last = home(low | (shift == 64 ? .max : (1 << shift) - 1))
    bounds.removeAll(keepingCapacity: true)
    bounds.append(contentsOf: repeatElement(0, count: last - first + 2))
    for entry in pieces[piece] { bounds[home(entry.hash) - first + 1] += 1 }
    for bucket in 0...last - first { bounds[bucket + 1] += bounds[bucket] }
    return first
  }
}
