/// The header of an encoded key index.
struct KeyIndexHeader {
  /// The size of the header in bytes: the numbers of home buckets, buckets and entries, three
  /// widths, and a zero byte.
  static let length = 16

  let shape: KeyIndex.Shape
  /// The number of buckets that hashes map to; `buckets` also counts the overflow buckets at the
  /// end.
  let homes: Int
  let buckets: Int
  let entries: Int

  init(shape: KeyIndex.Shape, homes: Int, buckets: Int, entries: Int) {
    self.shape = shape
    self.homes = homes
    self.buckets = buckets
    self.entries = entries
  }

  // Decodes the header of an index of `length` bytes in total. Throws unless it matches the
  // segment's numbers of samples and rows.
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

  /// Checks that the buckets' counts are possible and add up to the number of entries.
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

  /// Returns the bucket at which a lookup starts.
  @inline(__always)
  func home(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(homes)).high)
  }
}
