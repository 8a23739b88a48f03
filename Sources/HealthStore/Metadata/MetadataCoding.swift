import Foundation

/// The binary encoding of metadata: deterministic, compact and versioned.
///
/// Layout: a version byte, the number of entries, then the entries in ascending order of their
/// keys' bytes. An entry is the key (length, UTF-8), a tag and a payload. Lengths and counts are
/// unsigned LEB128; integers are zigzag LEB128; doubles are their bit pattern as eight bytes in
/// little-endian order. Equal metadata has equal encodings. Tags are never reused.
package enum MetadataCoding {
  static let version: UInt8 = 1

  enum Tag: UInt8 {
    case string = 1
    case `false` = 2
    case `true` = 3
    case integer = 4
    case unsigned = 5
    case double = 6
    case date = 7
    case quantity = 8
  }

  /// Encodes metadata.
  ///
  /// Throws if a value is not supported, a key exceeds `Metadata.longestKey` or the result exceeds
  /// `Metadata.largestEncoding`.
  package static func encode(_ metadata: [String: Any]) throws(HKInvalidSampleError) -> [UInt8] {
    var entries = try Metadata.entries(metadata)
    return try encode(&entries)
  }

  /// Sorts and encodes entries, whose keys must be distinct.
  static func encode(
    _ entries: inout [Metadata.Entry]
  ) throws(HKInvalidSampleError) -> [UInt8] {
    if entries.count > 1 {
      entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    bytes.append(version)
    append(UInt64(entries.count), to: &bytes)
    for entry in entries {
      append(entry.key, to: &bytes)
      append(entry.value, to: &bytes)
      guard bytes.count <= Metadata.largestEncoding else {
        throw .metadataTooLarge(bytes: bytes.count, allowed: Metadata.largestEncoding)
      }
    }
    return bytes
  }

  private static func append(_ value: MetadataValue, to bytes: inout [UInt8]) {
    switch value {
    case .string(let value):
      bytes.append(Tag.string.rawValue)
      append(value, to: &bytes)
    case .bool(let value):
      bytes.append(value ? Tag.true.rawValue : Tag.false.rawValue)
    case .integer(let value):
      bytes.append(Tag.integer.rawValue)
      append(UInt64(bitPattern: (value << 1) ^ (value >> 63)), to: &bytes)
    case .unsigned(let value):
      bytes.append(Tag.unsigned.rawValue)
      append(value, to: &bytes)
    case .double(let value):
      bytes.append(Tag.double.rawValue)
      append(bitsOf: value, to: &bytes)
    case .date(let value):
      bytes.append(Tag.date.rawValue)
      append(bitsOf: value.timeIntervalSinceReferenceDate, to: &bytes)
    case .quantity(let value):
      bytes.append(Tag.quantity.rawValue)
      append(bitsOf: value.value, to: &bytes)
      append(value.unit.unitString, to: &bytes)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    append(UInt64(text.utf8.count), to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  private static func append(bitsOf value: Double, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
