import SampleLog

/// The values of a column in one encoding, without levels.
struct ParquetValues {
  var encoding: ParquetEncoding
  var bytes: [UInt8]
  /// The distinct values that the encoded numbers refer to, or nil without a dictionary.
  var dictionary: (count: Int, bytes: [UInt8])?

  init(_ encoding: ParquetEncoding, _ bytes: [UInt8]) {
    self.encoding = encoding
    self.bytes = bytes
  }

  /// Creates values as numbers of entries of a dictionary.
  init(_ numbers: [UInt32], dictionary: (count: Int, bytes: [UInt8])) {
    encoding = .dictionary
    let width = UInt32(max(dictionary.count - 1, 0)).significantBits
    bytes = [UInt8(width)] + HybridEncoder.encode(numbers, width: width)
    self.dictionary = dictionary
  }
}

extension ColumnValues {
  /// Returns the values in the encodings that may be the smallest.
  var encoded: [ParquetValues] {
    // An encoding of no values may be unknown to readers, except the plain one.
    if presence.valueCount == 0 { return [ParquetValues(.plain, [])] }
    switch self {
    case .texts(let column): return [column.encoded]
    case .times(let column), .integers(let column):
      return [ParquetValues(.delta, DeltaEncoder.encode(column.values))]
    case .numbers(let column): return column.encoded
    case .identifiers(let column): return [ParquetValues(.plain, column.plain)]
    }
  }
}

extension TextColumn {
  fileprivate var encoded: ParquetValues {
    let width = UInt32(max(texts.count - 1, 0)).significantBits
    let size = numbers.values.reduce(0) { $0 + texts[Int($1)].count }
    // With few repetitions the numbers cost more than they save.
    if byteCount + texts.count * 4 + numbers.values.count * width / 8 < size {
      var dictionary: [UInt8] = []
      dictionary.reserveCapacity(byteCount + texts.count * 4)
      for text in texts { dictionary.append(lengthAnd: text) }
      return ParquetValues(numbers.values, dictionary: (texts.count, dictionary))
    }
    var bytes = DeltaEncoder.encode(numbers.values.map { Int64(texts[Int($0)].count) })
    bytes.reserveCapacity(bytes.count + size)
    for number in numbers.values { bytes += texts[Int(number)] }
    return ParquetValues(.deltaLength, bytes)
  }
}

extension ValueColumn<Double> {
  /// The number of distinct values up to which a dictionary is taken without trying others.
  private static var smallDictionary: Int { 256 }

  fileprivate var encoded: [ParquetValues] {
    var found: [ParquetValues] = []
    if let (distinct, numbers) = WordNumbers.number(
      values, map: \.bitPattern, most: max(Self.smallDictionary, values.count / 4))
    {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(distinct.count * 8)
      for word in distinct { bytes.append(littleEndian: word) }
      found.append(ParquetValues(numbers, dictionary: (distinct.count, bytes)))
      if distinct.count <= Self.smallDictionary { return found }
    }
    return found + [ParquetValues(.plain, plain), ParquetValues(.streamSplit, split)]
  }

  private var plain: [UInt8] {
    values.withUnsafeBytes { values in [UInt8](values) }
  }

  /// The first bytes of all values, then the second ones, and so on.
  private var split: [UInt8] {
    let count = values.count
    return values.withUnsafeBytes { values in
      [UInt8](unsafeUninitializedCapacity: values.count) { bytes, initialized in
        for index in 0..<count {
          for part in 0..<8 { bytes[part * count + index] = values[index * 8 + part] }
        }
        initialized = values.count
      }
    }
  }
}

extension ValueColumn<Identifier> {
  fileprivate var plain: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: values.count * 16) { bytes, initialized in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      for (index, id) in values.enumerated() {
        raw.storeBytes(of: id.high.bigEndian, toByteOffset: index * 16, as: UInt64.self)
        raw.storeBytes(of: id.low.bigEndian, toByteOffset: index * 16 + 8, as: UInt64.self)
      }
      initialized = values.count * 16
    }
  }
}
