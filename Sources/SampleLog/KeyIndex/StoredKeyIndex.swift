/// A key index whose entries remain in the file.
///
/// A sample takes a sixteenth of a byte of memory, and a lookup reads at most 63 bytes of each
/// bucket.
///
/// Used for segments whose ``KeyIndex`` does not fit into the memory budget.
package final class StoredKeyIndex: Sendable {
  /// The interval, in buckets, of the stored sums in `starts`.
  private static let stride = 64

  private let file: any File
  private let header: KeyIndexHeader
  /// The byte range of the entries in the file.
  private let entries: Range<Int>
  private let counts: RawMemory
  /// The index of the first entry of every 64th bucket.
  private let starts: [UInt32]

  /// Verifies the checksum of a stored index and loads its counts.
  ///
  /// - Throws: A ``CodecError`` if the bytes are damaged, or the error of reading the file.
  package init(
    _ file: any File, _ range: Range<Int>, checksum expected: UInt32, samples: Int,
    segmentRows: Int
  ) throws {
    self.file = file
    func read(_ offset: Int, _ count: Int) throws -> RawMemory {
      let memory = RawMemory(count)
      guard try file.readNow(into: memory.writable, at: offset) == count else {
        throw CodecError("cut key index")
      }
      return memory
    }
    guard range.count >= KeyIndexHeader.length else { throw CodecError("cut key index") }
    let head = try read(range.lowerBound, KeyIndexHeader.length)
    let header = try withExtendedLifetime(head) {
      try KeyIndexHeader(
        head.bytes, length: range.count, samples: samples, segmentRows: segmentRows)
    }
    let counts = try read(range.lowerBound + KeyIndexHeader.length, header.buckets)
    let entries = range.lowerBound + KeyIndexHeader.length + header.buckets..<range.upperBound
    var sum = withExtendedLifetime((head, counts)) {
      checksum(counts.bytes, checksum(head.bytes))
    }
    let piece = 1 << 20
    for offset in Swift.stride(from: entries.lowerBound, to: entries.upperBound, by: piece) {
      let memory = try read(offset, min(piece, entries.upperBound - offset))
      sum = withExtendedLifetime(memory) { checksum(memory.bytes, sum) }
    }
    guard sum == expected else { throw CodecError("wrong checksum") }
    defer { withExtendedLifetime(counts) {} }
    try header.check(counts.bytes)
    var starts: [UInt32] = []
    var entry: UInt32 = 0
    for (bucket, counted) in counts.bytes.enumerated() {
      if bucket % Self.stride == 0 { starts.append(entry) }
      entry += UInt32(counted & ~KeyIndex.passedOn)
    }
    self.header = header
    self.entries = entries
    self.counts = counts
    self.starts = starts
  }

  /// The size in memory, in bytes.
  package var byteCount: Int { counts.count + starts.count * 4 }

  /// Calls `confirm` with the rows of each unit that may have the identifier until it returns a
  /// result.
  package func probe<Result>(
    _ hash: UInt64, _ confirm: (Range<Int>) throws -> Result?
  ) throws -> Result? {
    let shape = header.shape
    let fingerprint = hash & BitPacking.mask(shape.fingerprintBits)
    var bucket = header.home(hash)
    while bucket < header.buckets {
      let counted = count(bucket)
      let found = try withEntries(bucket, Int(counted & ~KeyIndex.passedOn)) { value -> Result? in
        guard value >> UInt64(shape.unitBits) == fingerprint else { return nil }
        let unit = Int(value & BitPacking.mask(shape.unitBits))
        return try confirm(unit << shape.shift..<(unit + 1) << shape.shift)
      }
      if let found { return found }
      if counted & KeyIndex.passedOn == 0 { return nil }
      bucket += 1
    }
    return nil
  }

  @inline(__always)
  private func count(_ bucket: Int) -> UInt8 {
    counts.base.load(fromByteOffset: bucket, as: UInt8.self)
  }

  /// Reads the entries of a bucket and calls a closure with each until it returns a result.
  private func withEntries<Result>(
    _ bucket: Int, _ count: Int, _ body: (UInt64) throws -> Result?
  ) throws -> Result? {
    if count == 0 { return nil }
    var first = Int(starts[bucket / Self.stride])
    for before in bucket / Self.stride * Self.stride..<bucket {
      first += Int(self.count(before) & ~KeyIndex.passedOn)
    }
    let width = header.shape.width
    let bits = first * width
    let length = (bits + count * width + 7) / 8 - bits / 8
    return try withUnsafeTemporaryAllocation(
      byteCount: length + RawMemory.slack, alignment: 8
    ) { buffer in
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
      guard try file.readNow(into: target, at: entries.lowerBound + bits / 8) == length,
        let base = buffer.baseAddress
      else { throw CodecError("cut key index") }
      for entry in 0..<count {
        let bit = bits & 7 + entry * width
        let word = UnsafeRawPointer(base).loadUnaligned(
          fromByteOffset: bit >> 3, as: UInt64.self)
        let value = word >> UInt64(bit & 7) & BitPacking.mask(width)
        if let result = try body(value) { return result }
      }
      return nil
    }
  }
}
