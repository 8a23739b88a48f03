/// What the bytes of a key index begin with.
struct KeyIndexHeader {
  /// Numbers of buckets and entries, and the three widths.
  static let length = 16

  let shape: KeyIndex.Shape
  /// Buckets that are somebody's home, and all.
  let homes: Int
  let buckets: Int
  let entries: Int

  init(shape: KeyIndex.Shape, homes: Int, buckets: Int, entries: Int) {
    self.shape = shape
    self.homes = homes
    self.buckets = buckets
    self.entries = entries
  }

  // Reads the header of an index, which must be that of a segment with so many samples and rows;
  // with all that follows it is so long.
  init(
    _ bytes: UnsafeRawBufferPointer, length: Int, samples: Int, segmentRows: Int
  ) throws(CodecError) {
    var reader = ByteReader(bytes)
    guard let homes = reader.fixed(UInt32.self), let buckets = reader.fixed(UInt32.self),
      let entries = reader.fixed(UInt32.self), let shift = reader.byte(),
      let unitBits = reader.byte(), let fingerprintBits = reader.byte(), reader.byte() == 0
    else { throw CodecError("cut key index") }
    let shape = KeyIndex.Shape(rows: segmentRows)
    guard Int(shift) == shape.shift, Int(unitBits) == shape.unitBits,
      Int(fingerprintBits) == shape.fingerprintBits, Int(entries) == samples, homes > 0,
      homes <= buckets,
      length - Self.length - Int(buckets) == BitPacking.byteCount(samples, width: shape.width)
    else { throw CodecError("key index that does not match the segment") }
    self.init(shape: shape, homes: Int(homes), buckets: Int(buckets), entries: samples)
  }

  /// Checks how many entries each bucket has.
  func check(_ counts: UnsafeRawBufferPointer) throws(CodecError) {
    var total = 0
    for counted in counts {
      let count = Int(counted & ~KeyIndex.passedOn)
      guard count <= KeyIndex.slots else {
        throw CodecError("impossible count of keys in a bucket")
      }
      total += count
    }
    guard total == entries else { throw CodecError("keys do not add up") }
  }

  func write(to writer: inout ByteWriter) {
    writer.fixed(UInt32(homes))
    writer.fixed(UInt32(buckets))
    writer.fixed(UInt32(entries))
    writer.byte(UInt8(shape.shift))
    writer.byte(UInt8(shape.unitBits))
    writer.byte(UInt8(shape.fingerprintBits))
    writer.byte(0)
  }

  /// Returns the bucket to look into first.
  @inline(__always)
  func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(homes)).high)
  }
}
