/// The encoding of rows as keys and values.
///
/// Row key: subject (2), type (1), start with its sign flipped (8), sequence (8), big-endian, so
/// that bytes sort like numbers. Row value: end, value, UUID (16), unit, source, device, then the
/// metadata text. A deletion's entry in the log: type (1), UUID (16).
enum KeyValueCoding {
  static let keyLength = 19
  /// The number of subjects that two bytes can distinguish.
  static let greatestSubjectCount = 1 << 16
  static let fixedValueLength = 35
  static let deletionLength = 17
  static let valueCapacity = fixedValueLength + StreamMetadata.capacity

  /// Writes the key of a row, or a bound of keys.
  @inline(__always)
  static func writeKey(
    _ bytes: UnsafeMutableRawPointer, subject: UInt32, type: UInt8, start: Int64, sequence: UInt64
  ) {
    bytes.storeBytes(of: UInt16(truncatingIfNeeded: subject).bigEndian, as: UInt16.self)
    bytes.storeBytes(of: type, toByteOffset: 2, as: UInt8.self)
    let flipped = UInt64(bitPattern: start) ^ 1 << 63
    bytes.storeBytes(of: flipped.bigEndian, toByteOffset: 3, as: UInt64.self)
    bytes.storeBytes(of: sequence.bigEndian, toByteOffset: 11, as: UInt64.self)
  }

  @inline(__always)
  static func writeIdentifier(_ bytes: UnsafeMutableRawPointer, _ identifier: StreamIdentifier) {
    bytes.storeBytes(of: identifier.high.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: identifier.low.bigEndian, toByteOffset: 8, as: UInt64.self)
  }

  @inline(__always)
  static func readIdentifier(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> StreamIdentifier {
    StreamIdentifier(high: word(bytes, offset), low: word(bytes, offset + 8))
  }

  /// A big-endian number.
  @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  static func start(_ key: UnsafeRawBufferPointer) -> Int64 {
    Int64(bitPattern: word(key, 3) ^ 1 << 63)
  }

  @inline(__always)
  static func value(_ value: UnsafeRawBufferPointer) -> Double {
    value.loadUnaligned(fromByteOffset: 8, as: Double.self)
  }

  /// Writes the value of a row and returns its length.
  @inline(__always)
  static func writeValue(_ bytes: UnsafeMutableRawPointer, _ sample: StreamSample) -> Int {
    bytes.storeBytes(of: sample.end, as: Int64.self)
    bytes.storeBytes(of: sample.value, toByteOffset: 8, as: Double.self)
    writeIdentifier(bytes + 16, sample.identifier)
    bytes.storeBytes(of: sample.unit, toByteOffset: 32, as: UInt8.self)
    bytes.storeBytes(of: sample.source, toByteOffset: 33, as: UInt8.self)
    bytes.storeBytes(of: sample.device, toByteOffset: 34, as: UInt8.self)
    guard let text = StreamMetadata.text(type: sample.type, metadata: sample.metadata),
      let characters = text.baseAddress
    else { return fixedValueLength }
    (bytes + fixedValueLength).copyMemory(from: characters, byteCount: text.count)
    return fixedValueLength + text.count
  }

  /// Fills a row from its key and value.
  @inline(__always)
  static func read(
    _ row: inout BenchmarkRow, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) {
    row.subject = UInt32(UInt16(bigEndian: key.loadUnaligned(as: UInt16.self)))
    row.type = key[2]
    row.start = start(key)
    row.sequence = word(key, 11)
    row.end = value.loadUnaligned(as: Int64.self)
    row.value = self.value(value)
    row.identifier = readIdentifier(value, at: 16)
    row.unit = value[32]
    row.source = value[33]
    row.device = value[34]
    if value.count > fixedValueLength {
      row.metadata.assign(UnsafeRawBufferPointer(rebasing: value[fixedValueLength...]))
    } else {
      row.metadata.clear()
    }
  }
}
