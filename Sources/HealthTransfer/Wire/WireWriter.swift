package import Foundation

/// A writer of the bytes of a batch or reply; fixed-width numbers are little-endian.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func fixed(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func fixed(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends the bit pattern of a number.
  package mutating func fixed(_ value: Double) { fixed(value.bitPattern) }

  /// Appends the bit pattern of the seconds since 2001.
  package mutating func date(_ date: Date) { fixed(date.timeIntervalSinceReferenceDate) }

  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func count(_ value: Int) { varint(UInt64(value)) }

  package mutating func signed(_ value: Int) {
    let bits = Int64(value)
    varint(UInt64(bitPattern: (bits << 1) ^ (bits >> 63)))
  }

  /// Appends the exclusive or of two numbers' bit patterns, as a varint of the reversed bytes, so
  /// that numbers with few digits take few bytes.
  package mutating func number(_ value: Double, after last: Double = 0) {
    varint((value.bitPattern ^ last.bitPattern).byteSwapped)
  }

  /// Appends a length and the bytes.
  package mutating func string(_ value: [UInt8]) {
    count(value.count)
    append(value)
  }

  /// Appends a length and UTF-8 bytes.
  package mutating func text(_ text: String) { string(Array(text.utf8)) }

  /// Appends a byte 0 for nil, or a byte 1 followed by the output of `write`.
  package mutating func optional<Value>(
    _ value: Value?, _ write: (inout WireWriter, Value) -> Void
  ) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  /// Appends a count, followed by the output of `write` for each value.
  package mutating func list<Values: Collection>(
    _ values: Values, _ write: (inout WireWriter, Values.Element) -> Void
  ) {
    count(values.count)
    for value in values { write(&self, value) }
  }

  /// Appends the sixteen bytes of an identifier, as two little-endian halves.
  package mutating func identifier(_ id: UUID) {
    withUnsafeBytes(of: id.uuid) { source in
      append(source[0..<8].reversed())
      append(source[8..<16].reversed())
    }
  }

  /// Returns the bytes followed by their checksum.
  package func sealed() -> [UInt8] {
    var result = self
    result.fixed(WireChecksum.of(bytes[...]))
    return result.bytes
  }
}
