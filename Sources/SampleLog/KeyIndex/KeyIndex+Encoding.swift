/// Builds, encodes and decodes key indexes.
extension KeyIndex {
  /// The average number of entries per bucket, four fifths of its slots.
  ///
  /// With a higher load factor, many lookups would continue into the next bucket. Free slots take
  /// no space in the file.
  static let averageFill = 16.8

  /// Builds the index of a segment from the keys of its samples.
  package static func build(_ keys: KeyIndexBuilder, segmentRows: Int) -> KeyIndex {
    let shape = Shape(rows: segmentRows)
    let homes = max(1, Int((Double(keys.count) / averageFill).rounded(.up)))
    func home(_ hash: UInt64) -> Int {
      Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(homes)).high)
    }
    // Entries are sorted by home bucket, so one pass puts each into the first free slot at or after
    // its home.
    var slot = 0
    keys.forEachCount(home) { bucket, count in slot = max(slot, bucket * slots) + count }
    let buckets = max(homes, (slot + slots - 1) / slots)
    let memory = RawMemory(buckets * 64, alignment: 64)
    memory.base.initializeMemory(as: UInt8.self, repeating: 0, count: buckets * 64)
    let lowBits = shape.fingerprintBits - 8
    slot = 0
    keys.forEachBucket(home) { bucket, entries in
      slot = max(slot, bucket * slots)
      for entry in entries {
        let low = UInt32(truncatingIfNeeded: entry.hash) & ((1 << UInt32(lowBits)) - 1)
        set(
          memory.base + slot / slots * 64, slot % slots,
          high: UInt8(truncatingIfNeeded: entry.hash >> UInt64(lowBits)),
          rest: UInt16(
            truncatingIfNeeded: low << UInt32(shape.unitBits) | entry.row >> UInt32(shape.shift)))
        slot += 1
      }
      for bucket in bucket..<max(bucket, (slot - 1) / slots) {
        let offset = bucket * 64 + countOffset
        let counted = memory.base.load(fromByteOffset: offset, as: UInt8.self) | passedOn
        memory.base.storeBytes(of: counted, toByteOffset: offset, as: UInt8.self)
      }
    }
    return KeyIndex(
      shape: shape, homes: homes, buckets: buckets, entries: keys.count, memory: memory)
  }

  @inline(__always)
  private static func set(
    _ bucket: UnsafeMutableRawPointer, _ slot: Int, high: UInt8, rest: UInt16
  ) {
    bucket.storeBytes(of: high, toByteOffset: slot, as: UInt8.self)
    bucket.storeBytes(of: rest, toByteOffset: unitsOffset + slot * 2, as: UInt16.self)
    let counted = bucket.load(fromByteOffset: countOffset, as: UInt8.self) + 1
    bucket.storeBytes(of: counted, toByteOffset: countOffset, as: UInt8.self)
  }

  /// The encoded index: a header, the counts of all buckets, and the entries without free slots.
  package var encoded: [UInt8] {
    var writer = ByteWriter(
      reserving: KeyIndexHeader.length + buckets
        + BitPacking.byteCount(entries, width: shape.width))
    KeyIndexHeader(shape: shape, homes: homes, buckets: buckets, entries: entries)
      .write(to: &writer)
    for bucket in 0..<buckets { writer.byte(touch(bucket)) }
    // Packed in pieces that end at byte boundaries; packing all at once would take several times
    // the memory.
    var values: [UInt64] = []
    let piece = 4096
    values.reserveCapacity(piece)
    let packed = RawMemory(BitPacking.byteCount(piece, width: shape.width))
    func pack() {
      BitPacking.pack(values, count: values.count, width: shape.width, into: packed.base)
      let length = BitPacking.byteCount(values.count, width: shape.width)
      writer.append(UnsafeRawBufferPointer(rebasing: packed.bytes[..<length]))
      values.removeAll(keepingCapacity: true)
    }
    for bucket in 0..<buckets {
      let base = memory.base + bucket * 64
      for slot in 0..<Int(touch(bucket) & ~KeyIndex.passedOn) {
        let high = base.load(fromByteOffset: slot, as: UInt8.self)
        let rest = base.load(fromByteOffset: KeyIndex.unitsOffset + slot * 2, as: UInt16.self)
        let restBits = UInt64(shape.width - 8)
        values.append(UInt64(high) << restBits | UInt64(rest))
        if values.count == piece { pack() }
      }
    }
    withExtendedLifetime(packed) { pack() }
    return writer.bytes
  }

  /// Decodes an index.
  ///
  /// ``RawMemory/slack`` bytes after the given ones must be readable.
  package convenience init(
    _ bytes: UnsafeRawBufferPointer, samples: Int, segmentRows: Int
  ) throws(CodecError) {
    let header = try KeyIndexHeader(
      bytes, length: bytes.count, samples: samples, segmentRows: segmentRows)
    let shape = header.shape
    var reader = ByteReader(bytes)
    _ = reader.slice(KeyIndexHeader.length)
    guard let counts = reader.slice(header.buckets),
      let packed = reader.slice(reader.remaining)
    else { throw CodecError("cut key index") }
    try header.check(counts)
    let memory = RawMemory(header.buckets * 64, alignment: 64)
    memory.base.initializeMemory(as: UInt8.self, repeating: 0, count: memory.count)
    var entry = 0
    let restBits = UInt64(shape.width - 8)
    let restMask = (UInt64(1) << restBits) - 1
    let source = packed.baseAddress ?? UnsafeRawPointer(memory.base)
    for bucket in 0..<header.buckets {
      let counted = counts[bucket]
      let base = memory.base + bucket * 64
      for slot in 0..<Int(counted & ~KeyIndex.passedOn) {
        let value = BitPacking.load(source, entry, width: shape.width)
        base.storeBytes(
          of: UInt8(truncatingIfNeeded: value >> restBits), toByteOffset: slot, as: UInt8.self)
        base.storeBytes(
          of: UInt16(truncatingIfNeeded: value & restMask),
          toByteOffset: KeyIndex.unitsOffset + slot * 2, as: UInt16.self)
        entry += 1
      }
      base.storeBytes(of: counted, toByteOffset: KeyIndex.countOffset, as: UInt8.self)
    }
    self.init(
      shape: shape, homes: header.homes, buckets: header.buckets, entries: samples, memory: memory)
  }
}
