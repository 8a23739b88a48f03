extension [UInt8] {
  /// Appends an unsigned number in groups of seven bits, the lowest first (ULEB128).
  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed number in zigzag encoding, with the sign in the lowest bit.
  mutating func append(zigzag number: Int64) {
    append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  /// Appends the bytes of an integer, the least significant first.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends the number of bytes as a 32-bit integer, followed by the bytes.
  mutating func append(lengthAnd bytes: [UInt8]) {
    append(littleEndian: UInt32(bytes.count))
    append(contentsOf: bytes)
  }
}
