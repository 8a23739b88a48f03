/// Encodes tables in the Apache Arrow IPC streaming format.
///
/// Each record batch is preceded by its dictionaries, which replace those of the previous batch.
struct ArrowStream: TableFormat {
  private enum Header: UInt8 {
    case schema = 1
    case dictionaryBatch = 2
    case recordBatch = 3
  }

  mutating func begin(_ columns: [TableColumn], _ write: Write) throws {
    let fields = columns.enumerated().map { index, column in
      column.values.field(column.name, dictionary: Int64(index))
    }
    // Little-endian, which is the default, with the feature of dictionary replacement.
    try put(.schema, FlatTable(nil, .tables(fields), nil, .words([1], each: 1)), [], write)
  }

  mutating func add(_ columns: [TableColumn], _ write: Write) throws {
    for (index, column) in columns.enumerated() {
      guard case .texts(let texts) = column.values else { continue }
      let words = [ArrowColumn(dictionary: texts.texts)]
      // Replaces the dictionary of the previous batch, because it is not marked as a delta.
      let batch = FlatTable(.int64(Int64(index)), .table(Self.batch(words)))
      try put(.dictionaryBatch, batch, words, write)
    }
    let rows = columns.map { ArrowColumn($0.values) }
    try put(.recordBatch, Self.batch(rows), rows, write)
  }

  mutating func end(_ write: Write) throws {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32.max)
    bytes.append(littleEndian: UInt32(0))
    try write(bytes)
  }

  /// Returns the metadata of a record batch, whose buffers are each padded to eight bytes.
  private static func batch(_ columns: [ArrowColumn]) -> FlatTable {
    var places: [Int64] = []
    var end = 0
    for buffer in columns.lazy.flatMap(\.buffers) {
      places += [Int64(end), Int64(buffer.count)]
      end += buffer.count + buffer.count.padding
    }
    let nodes = columns.flatMap { [Int64($0.count), Int64($0.nullCount)] }
    let count = Int64(columns.first?.count ?? 0)
    return FlatTable(.int64(count), .words(nodes, each: 2), .words(places, each: 2))
  }

  private func put(
    _ header: Header, _ table: FlatTable, _ columns: [ArrowColumn], _ write: Write
  ) throws {
    let buffers = columns.flatMap(\.buffers)
    let bodyByteCount = buffers.reduce(0) { $0 + $1.count + $1.count.padding }
    // Metadata version V5, whose number is 4, belongs to version 1.0 of the format.
    var message = FlatTable(
      .int16(4), .uint8(header.rawValue), .table(table), .int64(Int64(bodyByteCount))
    ).buffer
    message += Array(repeating: 0, count: message.count.padding)
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32.max)
    bytes.append(littleEndian: UInt32(message.count))
    try write(bytes + message)
    for buffer in buffers {
      try write(buffer)
      try write(Array(repeating: 0, count: buffer.count.padding))
    }
  }
}

extension Int {
  /// The number of bytes from this offset to the next multiple of eight.
  fileprivate var padding: Int { -self & 7 }
}

extension ColumnValues {
  /// Returns the schema field of the column.
  fileprivate func field(_ name: String, dictionary: Int64) -> FlatTable {
    let int32 = FlatTable(.int32(32), .uint8(1))
    var encoding: FlatTable.Value?
    var metadata: FlatTable.Value?
    let (number, type): (UInt8, FlatTable)
    switch self {
    case .texts:
      (number, type) = (5, FlatTable())
      encoding = .table(FlatTable(.int64(dictionary), .table(int32)))
    // In microseconds.
    case .times: (number, type) = (10, FlatTable(.int16(2), .text("UTC")))
    case .integers: (number, type) = (2, FlatTable(.int32(64), .uint8(1)))
    // In double precision.
    case .numbers: (number, type) = (3, FlatTable(.int16(2)))
    case .identifiers:
      (number, type) = (15, FlatTable(.int32(16)))
      metadata = .tables([
        FlatTable(.text("ARROW:extension:name"), .text("arrow.uuid")),
        FlatTable(.text("ARROW:extension:metadata"), .text("")),
      ])
    }
    return FlatTable(
      .text(name), .uint8(1), .uint8(number), .table(type), encoding, .tables([]), metadata)
  }
}
