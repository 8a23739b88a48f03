/// Packs numbers into bit fields, starting at the lowest bit of each byte.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  /// The packed bits that do not yet fill eight bytes.
  private var word: UInt64 = 0
  private var bitCount = 0

  /// Appends the lowest `width` bits of a number; its other bits must be 0.
  @inline(__always)
  mutating func append(_ number: UInt64, width: Int) {
    word |= number << UInt64(bitCount)
    bitCount += width
    guard bitCount >= 64 else { return }
    append(word)
    bitCount -= 64
    // In Swift, a shift by 64 gives 0.
    word = number >> UInt64(width - bitCount)
  }

  /// Pads the current byte with zero bits.
  mutating func align() {
    let count = (bitCount + 7) / 8
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))) }
    (word, bitCount) = (0, 0)
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Removes all bytes but keeps the allocated memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    (word, bitCount) = (0, 0)
  }
}

extension FixedWidthInteger {
  /// The number of bits except leading zeros.
  var significantBits: Int { Self.bitWidth - leadingZeroBitCount }
}
