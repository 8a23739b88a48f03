/// Columns of integers: a constant, or bit-packed numbers or differences.
///
/// Docs/format.md describes the encoding. Arithmetic wraps around, so every 64-bit number is
/// restored exactly.
package enum IntegerCodec {
  static let constant: UInt8 = 0
  static let packed: UInt8 = 1
  static let kindMask: UInt8 = 0x0F
  /// The packed numbers are differences; their running sums are the column's numbers.
  static let differences: UInt8 = 0x10
  /// A bitmap marks the rows that do not have the most frequent number.
  static let sparse: UInt8 = 0x20
  /// The body is compressed.
  static let compressed: UInt8 = 0x40

  /// The interval between checkpoints, in rows.
  ///
  /// Decoding one row starts at the preceding checkpoint.
  static let sumStep = 128

  /// The maximum number of rows in a column; positions of exceptions have 16 bits.
  package static let maximumCount = 0xFFFF

  @inline(__always)
  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value &<< 1) ^ (value >> 63)) }

  @inline(__always)
  static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
