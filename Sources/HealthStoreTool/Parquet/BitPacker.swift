/// Packs numbers of few bits into bytes, from the lowest bit on.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  /// The bits that do not make up eight bytes yet.
  private var word: UInt64 = 0
  private var bitCount = 0

  /// Appends the lowest `width` bits of a number, whose other bits must be 0.
  @inline(__always)
  mutating func append(_ number: UInt64, width: Int) {
    word |= number << UInt64(bitCount)
    bitCount += width
    guard bitCount >= 64 else { return }
    append(word)
    bitCount -= 64
    // A shift by 64 gives 0.
    word = number >> UInt64(width - bitCount)
  }

  /// Appends zero bits up to the next whole byte.
  mutating func align() {
    let count = (bitCount + 7) / 8
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))) }
    (word, bitCount) = (0, 0)
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Removes all bytes but keeps their memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    (word, bitCount) = (0, 0)
  }
}

extension FixedWidthInteger {
  /// The number of bits without leading zeros.
  var significantBits: Int { Self.bitWidth - leadingZeroBitCount }
}
