/// A builder of byte strings; multi-byte integers are little-endian.
package struct ByteWriter {
  package var bytes: [UInt8] = []

  package init() {}

  package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  package var count: Int { bytes.count }

  package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  package mutating func fixed<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func fixed(_ value: Double) { fixed(value.bitPattern) }

  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends the length as a varint, then the bytes.
  package mutating func string(_ value: [UInt8]) {
    varint(UInt64(value.count))
    append(value)
  }

  package mutating func pad(toMultipleOf alignment: Int) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }
}

/// A bounds-checked reader of byte strings.
package struct ByteReader {
  package let buffer: UnsafeRawBufferPointer
  package private(set) var offset = 0

  package init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  package var remaining: Int { buffer.count - offset }
  package var isAtEnd: Bool { offset == buffer.count }

  @inline(__always)
  package mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= remaining else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count])
  }

  package mutating func byte() -> UInt8? {
    guard remaining > 0 else { return nil }
    defer { offset += 1 }
    return buffer[offset]
  }

  package mutating func fixed<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    guard remaining >= MemoryLayout<T>.size else { return nil }
    defer { offset += MemoryLayout<T>.size }
    return T(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  package mutating func fixed64() -> UInt64? { fixed(UInt64.self) }

  package mutating func double() -> Double? { fixed64().map(Double.init(bitPattern:)) }

  @inline(__always)
  package mutating func varint() -> UInt64? {
    guard remaining > 0, buffer[offset] < 0x80 else { return longVarint() }
    defer { offset += 1 }
    return UInt64(buffer[offset])
  }

  private mutating func longVarint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let next = byte() {
      // The tenth byte has room for only one bit.
      if shift == 63, next > 1 { return nil }
      value |= UInt64(next & 0x7F) << shift
      if next & 0x80 == 0 { return value }
      shift += 7
      if shift > 63 { return nil }
    }
    return nil
  }

  package mutating func string() -> [UInt8]? {
    guard let length = varint(), length <= UInt64(remaining) else { return nil }
    return slice(Int(length)).map { [UInt8]($0) }
  }
}
