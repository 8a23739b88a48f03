/// The keys of a segment under construction, from which its index is built.
///
/// Keys are partitioned by the upper bits of their hashes, which also determine the bucket.
/// Building therefore processes one partition at a time, which fits the processor's cache. Without
/// partitions, every key would cost a cache miss or two.
package struct KeyIndexBuilder {
  /// A hash and a row in twelve bytes.
  ///
  /// The hash is split because a `UInt64` would pad the entry to sixteen.
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

  /// - Parameter expected: The approximate number of keys.
  package init(expecting expected: Int) {
    var bits = 0
    while bits < 10, expected >> bits > Self.rowsPerPiece { bits += 1 }
    shift = UInt64(64 - bits)
    // Reserves a tenth more than the average, because partitions differ in size.
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

  /// Adds the keys of consecutive rows.
  package mutating func add(_ ids: [Identifier], _ hash: KeyHash, firstRow: Int) {
    let shift = shift
    pieces.withUnsafeMutableBufferPointer { pieces in
      for (index, id) in ids.enumerated() {
        let hash = hash(id)
        // If there is one partition, the shift by the full width yields 0.
        pieces[Int(hash >> shift)].append(Entry(hash: hash, row: UInt32(firstRow + index)))
      }
    }
    count += ids.count
  }

  /// Calls a closure with the hash of each key, roughly in ascending order.
  @inline(__always)
  func forEachHash(_ body: (UInt64) -> Void) {
    for piece in pieces { for entry in piece { body(entry.hash) } }
  }

  /// Calls a closure with each non-empty bucket of a table and its number of entries.
  ///
  /// Buckets ascend. A bucket that spans two partitions is reported twice.
  ///
  /// - Parameters:
  ///   - home: Returns the bucket of a hash; must be monotonic.
  ///   - body: Receives a bucket and its number of entries.
  func forEachCount(_ home: (UInt64) -> Int, _ body: (Int, Int) -> Void) {
    var ends: [Int] = []
    for piece in pieces.indices {
      let first = countBuckets(of: piece, into: &ends, home)
      for bucket in 0..<ends.count - 1 where ends[bucket + 1] > ends[bucket] {
        body(first + bucket, ends[bucket + 1] - ends[bucket])
      }
    }
  }

  /// Calls a closure as ``forEachCount(_:_:)`` does, but with the entries, in the order in which
  /// they were added.
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

  /// Computes the start of each bucket's entries within a partition.
  ///
  /// Returns the first bucket.
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
