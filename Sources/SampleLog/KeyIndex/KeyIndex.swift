/// Which rows of a segment may have an identifier: a filter and an index in one.
///
/// A hash table of 64-byte buckets, so that a look-up touches one cache line nearly always. An
/// entry is a fingerprint of the identifier and the *unit* of its row: a run of 2^shift rows. The
/// caller looks into the unit's identifiers to be sure. A bucket that is full passes entries on to
/// the next one. In memory a row costs about 3.8 bytes, in the file 3.1 at most.
package final class KeyIndex: Sendable {
  /// How entries are cut into bits, which follows from the number of rows.
  package struct Shape: Equatable, Sendable {
    package let shift: Int
    package let unitBits: Int
    package let fingerprintBits: Int

    /// Units of few rows, because looking into one is most of what a look-up costs; what is left
    /// of the 24 bits in memory tells identifiers apart.
    package init(rows: Int) {
      let rowBits = rows <= 1 ? 0 : Int.bitWidth - (rows - 1).leadingZeroBitCount
      unitBits = min(15, rowBits)
      shift = rowBits - unitBits
      fingerprintBits = min(12, 24 - unitBits)
    }

    var width: Int { unitBits + fingerprintBits }
  }

  static let slots = 21
  /// Where a bucket's count is; the high bit says that entries were passed on.
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

  /// How many bytes it takes in memory.
  package var byteCount: Int { memory.count }

  /// How many bytes of memory an index takes of which the file has so many.
  package static func byteCount(samples: Int, segmentRows: Int, encoded length: Int) -> Int {
    let entries = BitPacking.byteCount(samples, width: Shape(rows: segmentRows).width)
    return max(0, length - KeyIndexHeader.length - entries) * 64
  }

  /// Returns the bucket to look into first.
  @inline(__always)
  package func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(homes)).high)
  }

  /// Asks for a bucket before it is looked into.
  @inline(__always)
  package func prefetch(_ bucket: Int) {
    SampleLog.prefetch(UnsafeRawPointer(memory.base) + bucket &<< 6)
  }

  /// Reads how many entries a bucket has.
  @inline(__always)
  package func touch(_ bucket: Int) -> UInt8 {
    memory.base.load(fromByteOffset: bucket &<< 6 &+ KeyIndex.countOffset, as: UInt8.self)
  }

  /// Calls `confirm` with the rows of each unit that may have the identifier until it finds it.
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
        // A unit of 16 bits leaves no room for more of the fingerprint.
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
