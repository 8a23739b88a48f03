import Foundation

// Decodes and validates encoded metadata.
extension MetadataCoding {
  /// An error in encoded metadata.
  package enum DecodingError: Error, Hashable {
    /// The version is not supported.
    case unknownVersion(UInt8)
    /// The encoding exceeds the maximum size.
    case tooLarge(bytes: Int)
    /// The encoding ends within an entry.
    case truncated
    /// The encoding continues after the last entry.
    case trailingBytes
    /// An integer has more than 64 bits or is not in its shortest form.
    case malformedNumber
    case keyTooLong
    /// Keys are duplicated or not in ascending order.
    case unorderedKeys
    case invalidText
    case unknownTag(UInt8)
    case unknownUnit(String)
    /// A date or a quantity is infinite or NaN.
    case notFinite
  }

  /// Decodes metadata; the inverse of `encode`.
  ///
  /// Safe for arbitrary bytes: input that `encode` cannot produce causes an error, never a trap,
  /// and memory use is proportional to the input.
  package static func decode(_ bytes: [UInt8]) throws(DecodingError) -> [String: Any] {
    var metadata: [String: Any] = [:]
    try walk(bytes) { (reader, key) throws(DecodingError) in
      let name = try reader.text(in: key)
      metadata[name] = try reader.value().object
    }
    return metadata
  }

  /// Throws the errors of decoding, without creating the metadata.
  package static func check(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    // The memory outlives the walk.
    try walk(bytes) { (reader, key) throws(DecodingError) in
      try reader.checkText(in: key)
      try reader.skipValue()
    }
  }

  /// Returns the values of two keys.
  ///
  /// Throws the errors of decoding, and an error for keys that are canonically equivalent.
  static func check(
    _ bytes: UnsafeRawBufferPointer, for first: String, _ second: String
  ) throws(DecodingError) -> (MetadataValue?, MetadataValue?) {
    var found: (MetadataValue?, MetadataValue?)
    var (count, isPlain) = (0, true)
    try walk(bytes) { (reader, key) throws(DecodingError) in
      count += 1
      isPlain = isPlain && bytes[key].allSatisfy { $0 < 0x80 }
      if bytes[key].elementsEqual(first.utf8) {
        found.0 = try reader.value()
      } else if bytes[key].elementsEqual(second.utf8) {
        found.1 = try reader.value()
      } else {
        try reader.checkText(in: key)
        try reader.skipValue()
      }
    }
    // Precomposed and decomposed accents make equivalent keys of different bytes.
    if !isPlain, try decode([UInt8](bytes)).count != count { throw .unorderedKeys }
    return found
  }

  /// Returns whether the value of a key is true or a nonzero number.
  ///
  /// - Throws: The errors of decoding.
  package static func isTrue(
    _ key: String, in bytes: UnsafeRawBufferPointer
  ) throws(DecodingError) -> Bool {
    var isTrue = false
    try walk(bytes) { (reader, range) throws(DecodingError) in
      if bytes[range].elementsEqual(key.utf8) {
        isTrue = (try reader.value().object as? NSNumber)?.boolValue ?? false
      } else {
        try reader.skipValue()
      }
    }
    return isTrue
  }

  /// Calls a function at the value of each entry, with the byte range of its key.
  private static func walk<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes,
    _ body: (inout Reader<Bytes>, Range<Int>) throws(DecodingError) -> Void
  ) throws(DecodingError) where Bytes.Index == Int {
    guard bytes.count <= Metadata.largestEncoding else { throw .tooLarge(bytes: bytes.count) }
    var reader = Reader(bytes: bytes)
    let version = try reader.byte()
    guard version == Self.version else { throw .unknownVersion(version) }
    let count = try reader.number()
    // An entry has at least two bytes, which bounds the cost of a corrupt count.
    guard count <= UInt64((bytes.count - reader.offset) / 2) else { throw .truncated }
    var previous: Range<Int>?
    for _ in 0..<count {
      let range = try reader.textRange()
      guard range.count <= Metadata.longestKey else { throw .keyTooLong }
      if let previous {
        guard bytes[previous].lexicographicallyPrecedes(bytes[range]) else {
          throw .unorderedKeys
        }
      }
      previous = range
      try body(&reader, range)
    }
    guard reader.offset == bytes.count else { throw .trailingBytes }
  }

  private struct Reader<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    let bytes: Bytes
    var offset = 0

    mutating func byte() throws(DecodingError) -> UInt8 {
      guard offset < bytes.count else { throw .truncated }
      defer { offset += 1 }
      return bytes[offset]
    }

    mutating func number() throws(DecodingError) -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        let next = try byte()
        let part = UInt64(next & 0x7F)
        // The tenth byte holds a single bit, and a final zero byte would not be the shortest form.
        guard shift < 63 || (shift == 63 && part <= 1) else { throw .malformedNumber }
        guard next != 0 || shift == 0 else { throw .malformedNumber }
        value |= part << shift
        if next < 0x80 { return value }
        shift += 7
      }
    }

    mutating func double() throws(DecodingError) -> Double {
      var bits: UInt64 = 0
      for index in 0..<8 { bits |= UInt64(try byte()) << UInt64(8 * index) }
      return Double(bitPattern: bits)
    }

    mutating func textRange() throws(DecodingError) -> Range<Int> {
      let count = try number()
      guard count <= UInt64(bytes.count - offset) else { throw .truncated }
      let start = offset
      offset += Int(count)
      return start..<offset
    }

    func text(in range: Range<Int>) throws(DecodingError) -> String {
      guard let text = String(validating: bytes[range], as: UTF8.self) else {
        throw .invalidText
      }
      return text
    }

    /// Throws if the bytes are not valid UTF-8.
    func checkText(in range: Range<Int>) throws(DecodingError) {
      // Fast path: nearly all text is ASCII.
      if !bytes[range].allSatisfy({ $0 < 0x80 }) { _ = try text(in: range) }
    }

    /// Skips a value; throws the errors of decoding it.
    mutating func skipValue() throws(DecodingError) {
      guard bytes.indices.contains(offset), bytes[offset] == Tag.string.rawValue else {
        _ = try value()
        return
      }
      offset += 1
      try checkText(in: try textRange())
    }

    mutating func value() throws(DecodingError) -> MetadataValue {
      let value = try anyValue()
      guard value.isStorable else { throw .notFinite }
      return value
    }

    private mutating func anyValue() throws(DecodingError) -> MetadataValue {
      let raw = try byte()
      guard let tag = Tag(rawValue: raw) else { throw .unknownTag(raw) }
      switch tag {
      case .string: return .string(try text(in: try textRange()))
      case .false: return .bool(false)
      case .true: return .bool(true)
      case .integer:
        let zigzag = try number()
        return .integer(Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
      case .unsigned:
        let value = try number()
        guard value > UInt64(Int64.max) else { throw .malformedNumber }
        return .unsigned(value)
      case .double: return .double(try double())
      case .date: return .date(Date(timeIntervalSinceReferenceDate: try double()))
      case .quantity:
        let value = try double()
        let name = try text(in: try textRange())
        guard let unit = HKUnit.named(name) else { throw .unknownUnit(name) }
        return .quantity(HKQuantity(unit: unit, doubleValue: value))
      }
    }
  }
}
