/// The number of a physical type in the format's `parquet.thrift`.
enum ParquetType: Int {
  case int64 = 2
  case double = 5
  case byteArray = 6
  case fixedBytes = 7
}

enum ParquetEncoding: Int {
  case plain = 0
  case hybrid = 3
  case delta = 5
  case deltaLength = 6
  case dictionary = 8
  case streamSplit = 9
}

enum ParquetCodec: Int {
  case none = 0
  /// `LZ4_RAW`: an LZ4 block without a frame.
  case lz4 = 7
}

enum ParquetPageKind: Int {
  case data = 0
  case dictionary = 2
}

extension ColumnValues {
  var physicalType: ParquetType {
    switch self {
    case .texts: .byteArray
    case .times, .integers: .int64
    case .numbers: .double
    case .identifiers: .fixedBytes
    }
  }

  /// Adds the schema element of the column.
  func addSchema(_ name: String, to element: inout ThriftWriter) {
    element.add(1, int32: physicalType.rawValue)
    if case .identifiers = self { element.add(2, int32: 16) }
    // Optional: values may be null.
    element.add(3, int32: 1)
    element.add(4, name)
    // Readers that do not support logical types use the older field 6.
    switch self {
    case .texts:
      element.add(6, int32: 0)
      element.add(10, structure: { $0.add(1, structure: { _ in }) })
    case .times:
      element.add(6, int32: 10)
      element.add(
        10,
        structure: { logical in
          logical.add(
            8,
            structure: { timestamp in
              // In UTC, in microseconds.
              timestamp.add(1, true)
              timestamp.add(2, structure: { $0.add(2, structure: { _ in }) })
            })
        })
    case .identifiers: element.add(10, structure: { $0.add(14, structure: { _ in }) })
    case .integers, .numbers: break
    }
  }
}
