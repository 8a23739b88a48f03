import SampleLog

/// The values of a column in one encoding, without definition levels.
struct ParquetValues {
  var encoding: ParquetEncoding
  var bytes: [UInt8]
  /// The distinct values of a dictionary encoding, or nil for other encodings.
  var dictionary: (count: Int, bytes: [UInt8])?

  init(_ encoding: ParquetEncoding, _ bytes: [UInt8]) {
    self.encoding = encoding
    self.bytes = bytes
  }

  /// Creates dictionary-encoded values from indices into the dictionary.
  init(_ numbers: [UInt32], dictionary: (count: Int, bytes: [UInt8])) {
    encoding = .dictionary
    let width = UInt32(max(dictionary.count - 1, 0)).significantBits
    bytes = [UInt8(width)] + HybridEncoder.encode(numbers, width: width)
    self.dictionary = dictionary
  }
}

extension ColumnValues {
  /// The values in each encoding that may take the least space.
  var encoded: [ParquetValues] {
    // Some readers accept a page without values only in the plain encoding.
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
    // If few texts repeat, the indices take more space than the dictionary saves.
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
  /// The largest number of distinct values for which no encoding but a dictionary is tried.
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

  /// The first bytes of all values, followed by the second bytes, and so on.
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
