import SampleLog

/// The bounds and the number of nulls of a column in a row group.
struct ParquetStatistics {
  var nullCount: Int
  /// The number of NaNs, or nil if the column does not contain doubles.
  var nanCount: Int?
  /// The smallest and the largest value, in plain encoding without a length.
  var bounds: (least: [UInt8], most: [UInt8])?

  /// The largest size of a text bound, in bytes.
  ///
  /// Longer bounds are omitted, because they take space and rarely help a reader.
  private static let longestBound = 64

  init(_ values: ColumnValues) {
    nullCount = values.presence.nullCount
    switch values {
    case .texts(let column):
      bounds = Self.bounds(column.texts.lazy.map { $0 }) { $0.lexicographicallyPrecedes($1) }
      if let (least, most) = bounds, max(least.count, most.count) > Self.longestBound {
        bounds = nil
      }
    case .times(let column), .integers(let column):
      bounds = Self.bounds(column.values, by: <).map { (Self.bytes($0), Self.bytes($1)) }
    case .numbers(let column):
      nanCount = column.values.reduce(0) { $0 + ($1.isNaN ? 1 : 0) }
      bounds = Self.bounds(column.values.lazy.filter { !$0.isNaN }, by: <).map { least, most in
        // Zeros of both signs compare equal, so either may be among the values.
        (
          Self.bytes((least == 0 ? -0.0 : least).bitPattern),
          Self.bytes((most == 0 ? 0.0 : most).bitPattern)
        )
      }
    case .identifiers(let column):
      bounds = Self.bounds(column.values, by: <).map { least, most in
        (
          Self.bytes(least.high.byteSwapped) + Self.bytes(least.low.byteSwapped),
          Self.bytes(most.high.byteSwapped) + Self.bytes(most.low.byteSwapped)
        )
      }
    }
  }

  private static func bounds<Values: Sequence>(
    _ values: Values, by precedes: (Values.Element, Values.Element) -> Bool
  ) -> (Values.Element, Values.Element)? {
    var found: (least: Values.Element, most: Values.Element)?
    for value in values {
      guard let (least, most) = found else {
        found = (value, value)
        continue
      }
      if precedes(value, least) { found = (value, most) }
      if precedes(most, value) { found = (least, value) }
    }
    return found
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: number)
    return bytes
  }

  func add(to structure: inout ThriftWriter) {
    structure.add(3, int64: nullCount)
    if let (least, most) = bounds {
      structure.add(5, binary: most)
      structure.add(6, binary: least)
      structure.add(7, true)
      structure.add(8, true)
    }
    if let nanCount { structure.add(9, int64: nanCount) }
  }
}
