package import Foundation

/// A bounds-checked reader of the bytes of a batch or reply.
package struct WireReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// Checks length, signature, version and checksum, in this order, and creates a reader of the
  /// bytes between them.
  package init(
    sealed data: Data, signature: [UInt8], version: UInt8
  ) throws(TransferError) {
    guard data.count <= TransferLimit.bytes else {
      throw .tooLarge(bytes: data.count, allowed: TransferLimit.bytes)
    }
    let bytes = [UInt8](data)
    guard bytes.count >= signature.count + 5, bytes.starts(with: signature) else {
      throw .malformed(offset: 0, reason: "another signature")
    }
    guard bytes[signature.count] == version else {
      throw .unsupportedVersion(bytes[signature.count])
    }
    let end = bytes.count - 4
    let sum = bytes[end...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard sum == WireChecksum.of(bytes[..<end]) else { throw .checksumMismatch }
    self.init(bytes[(signature.count + 1)..<end])
  }

  package var remaining: Int { bytes.endIndex - place }

  package func malformed(_ reason: String) -> TransferError {
    .malformed(offset: place, reason: reason)
  }

  /// Throws if bytes remain.
  package func finish() throws(TransferError) {
    if remaining > 0 { throw malformed("bytes behind the end") }
  }

  package mutating func slice(_ count: Int) throws(TransferError) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw malformed("the bytes end too soon") }
    defer { place += count }
    return bytes[place..<place + count]
  }

  package mutating func byte() throws(TransferError) -> UInt8 {
    guard place < bytes.endIndex else { throw malformed("the bytes end too soon") }
    defer { place += 1 }
    return bytes[place]
  }

  package mutating func fixed() throws(TransferError) -> UInt64 {
    try slice(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  package mutating func varint() throws(TransferError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      let next = try byte()
      // The tenth byte contributes a single bit.
      if shift == 63, next > 1 { throw malformed("a number above 64 bits") }
      value |= UInt64(next & 0x7F) << shift
      if next & 0x80 == 0 { return value }
    }
    throw malformed("a number above 64 bits")
  }

  /// Reads a count of values that take at least `bytesEach` bytes; throws if the remaining bytes
  /// cannot hold them.
  package mutating func count(
    of what: String, atMost most: Int = .max, bytesEach: Int = 1
  ) throws(TransferError) -> Int {
    let start = self
    let count = try varint()
    guard count <= UInt64(most), count <= UInt64(remaining / bytesEach) else {
      throw start.malformed("\(count) \(what)")
    }
    return Int(count)
  }

  package mutating func number(after last: Double = 0) throws(TransferError) -> Double {
    Double(bitPattern: try varint().byteSwapped ^ last.bitPattern)
  }

  package mutating func string(
    _ what: String, atMost most: Int = .max
  ) throws(TransferError) -> [UInt8] {
    Array(try slice(try count(of: what, atMost: most)))
  }

  package mutating func text(_ what: String) throws(TransferError) -> String {
    let start = self
    let bytes = try string(what, atMost: TransferLimit.nameBytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw start.malformed("\(what) that are no text")
    }
    return text
  }

  package mutating func identifier() throws(TransferError) -> UUID {
    let halves = Array(try slice(16))
    let bytes = halves[..<8].reversed() + halves[8...].reversed()
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Reads a count and that number of values.
  package mutating func list<Value>(
    of what: String, atMost most: Int = .max, bytesEach: Int = 1,
    _ read: (inout WireReader) throws(TransferError) -> Value
  ) throws(TransferError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try count(of: what, atMost: most, bytesEach: bytesEach)) {
      values.append(try read(&self))
    }
    return values
  }
}
