/// A hash index with fingerprints that finds the rows of a segment that may have an identifier.
///
/// The table has buckets of 64 bytes, so that a lookup usually touches one cache line. An entry
/// consists of a fingerprint of the identifier and the *unit* of its row, a run of 2^shift rows.
/// The caller confirms a match by reading the unit's identifiers. A full bucket passes entries on
/// to the next one. A row takes about 3.8 bytes in memory and at most 3.1 in the file.
package final class KeyIndex: Sendable {
  /// The division of an entry into bits, which follows from the number of rows.
  package struct Shape: Equatable, Sendable {
    package let shift: Int
    package let unitBits: Int
    package let fingerprintBits: Int

    /// Creates the shape for a number of rows.
    ///
    /// Units are small, because searching one dominates the cost of a lookup. Of the other bits of
    /// a 24-bit entry, up to 12 hold the fingerprint.
    package init(rows: Int) {
      let rowBits = rows <= 1 ? 0 : Int.bitWidth - (rows - 1).leadingZeroBitCount
      unitBits = min(15, rowBits)
      shift = rowBits - unitBits
      fingerprintBits = min(12, 24 - unitBits)
    }

    var width: Int { unitBits + fingerprintBits }
  }

  static let slots = 21
  /// The offset of a bucket's count.
  ///
  /// Its high bit, `passedOn`, marks a bucket that passed entries on.
  static let countOffset = 21
  static let unitsOffset = 22
  static let passedOn: UInt8 = 0x80

  let shape: Shape
  let homes: Int
  let buckets: Int
  let entries: Int
  let memory: RawMemory

  init(shape: Shape, homes: Int, buckets: Int, entries: Int, memory: RawMemory) {
    self.shape = shape
    self.homes = homes
    self.buckets = buckets
    self.entries = entries
    self.memory = memory
  }

  /// The size of the index in memory, in bytes.
  package var byteCount: Int { memory.count }

  /// Returns the size in memory, in bytes, of an index that takes `length` bytes in the file.
  package static func byteCount(samples: Int, segmentRows: Int, encoded length: Int) -> Int {
    let entries = BitPacking.byteCount(samples, width: Shape(rows: segmentRows).width)
    return max(0, length - KeyIndexHeader.length - entries) * 64
  }

  /// Returns the bucket at which a lookup starts.
  @inline(__always)
  package func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(homes)).high)
  }

  /// Prefetches a bucket.
  @inline(__always)
  package func prefetch(_ bucket: Int) {
    SampleLog.prefetch(UnsafeRawPointer(memory.base) + bucket &<< 6)
  }

  /// Returns the number of entries of a bucket, with `passedOn` if it passed entries on.
  @inline(__always)
  package func touch(_ bucket: Int) -> UInt8 {
    memory.base.load(fromByteOffset: bucket &<< 6 &+ KeyIndex.countOffset, as: UInt8.self)
  }

  /// Calls `confirm` with the rows of each unit that may have the identifier until it returns a
  /// result.
  @inline(__always)
  package func probe<Result>(
    _ hash: UInt64, _ confirm: (Range<Int>) throws -> Result?
  ) rethrows -> Result? {
    var bucket = home(hash)
    var counted = touch(bucket)
    let lowBits = UInt16(truncatingIfNeeded: shape.fingerprintBits &- 8)
    let high = UInt8(truncatingIfNeeded: hash >> UInt64(lowBits))
    let low = UInt16(truncatingIfNeeded: hash) & (1 &<< lowBits &- 1)
    let unitBits = UInt16(truncatingIfNeeded: shape.unitBits)
    while bucket < buckets {
      let base = UnsafeRawPointer(memory.base) + bucket &<< 6
      let count = UInt32(counted & ~KeyIndex.passedOn)
      var equal = matches21(base, high) & (1 &<< count &- 1)
      while equal != 0 {
        let slot = equal.trailingZeroBitCount
        equal &= equal &- 1
        let rest = base.load(fromByteOffset: KeyIndex.unitsOffset &+ slot &* 2, as: UInt16.self)
        // With a 16-bit unit, an entry has no low fingerprint bits.
        guard unitBits == 16 || rest >> unitBits == low else { continue }
        let unit = unitBits == 16 ? Int(rest) : Int(rest & (1 &<< unitBits &- 1))
        let rows = unit &<< shape.shift..<(unit &+ 1) &<< shape.shift
        if let result = try confirm(rows) { return result }
      }
      if counted & KeyIndex.passedOn == 0 { return nil }
      bucket &+= 1
      if bucket < buckets { counted = touch(bucket) }
    }
    return nil
  }
}
