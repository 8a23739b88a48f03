/// Columns of integers: constant, or packed bits of the numbers or of their differences.
///
/// The bytes are drawn in Docs/format.md. Arithmetic wraps, so that any 64-bit numbers come back.
package enum IntegerCodec {
  static let constant: UInt8 = 0
  static let packed: UInt8 = 1
  static let kindMask: UInt8 = 0x0F
  /// The numbers are running sums of those that are packed.
  static let differences: UInt8 = 0x10
  /// One bit for each number says whether it is the frequent one.
  static let sparse: UInt8 = 0x20
  /// The body is compressed.
  static let compressed: UInt8 = 0x40

  /// How many rows lie between stored sums, from which one row can be read without all before it.
  static let sumStep = 128

  /// No column has more numbers than this: positions of exceptions have 16 bits.
  package static let maximumCount = 0xFFFF

  @inline(__always)
  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value &<< 1) ^ (value >> 63)) }

  @inline(__always)
  static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
