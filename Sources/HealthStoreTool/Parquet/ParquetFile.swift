/// Encodes tables as an Apache Parquet file, one row group at a time.
///
/// Keeps only the footer in memory, about two kilobytes per row group.
struct ParquetFile: TableFormat {
  private static let mark = Array("PAR1".utf8)

  /// The file offset of the next byte.
  private var offset = 0
  private var rowCount = 0
  /// The encoded footer entries of the row groups.
  private var groups: [[UInt8]] = []
  /// The encoded schema elements, beginning with the root.
  private var schema: [[UInt8]] = []

  mutating func begin(_ columns: [TableColumn], _ write: Write) throws {
    schema = [
      ThriftWriter.structure { root in
        root.add(4, "samples")
        root.add(5, int32: columns.count)
      }
    ]
    schema += columns.map { column in
      ThriftWriter.structure { column.values.addSchema(column.name, to: &$0) }
    }
    try put(Self.mark, write)
  }

  mutating func add(_ columns: [TableColumn], _ write: Write) throws {
    let start = offset
    let count = columns.first?.values.presence.count ?? 0
    var plainByteCount = 0
    var entries: [[UInt8]] = []
    for column in columns {
      let chunk = ParquetChunk(column)
      let place = offset
      entries.append(ThriftWriter.structure { chunk.add(to: &$0, at: place) })
      plainByteCount += chunk.plainByteCount
      for piece in chunk.pieces { try put(piece, write) }
    }
    groups.append(
      ThriftWriter.structure { group in
        group.add(1, encodedStructures: entries)
        group.add(2, int64: plainByteCount)
        group.add(3, int64: count)
        group.add(5, int64: start)
        group.add(6, int64: offset - start)
        // The ordinal of a row group is a 16-bit integer.
        if groups.count <= Int16.max { group.add(7, int16: groups.count) }
      })
    rowCount += count
  }

  mutating func end(_ write: Write) throws {
    var footer = ThriftWriter.structure { file in
      file.add(1, int32: 2)
      file.add(2, encodedStructures: schema)
      file.add(3, int64: rowCount)
      file.add(4, encodedStructures: groups)
      file.add(6, "swift-health-store version \(Tool.version)")
      // The bounds of every column follow the order that the format defines for its type.
      let order = ThriftWriter.structure { $0.add(1, structure: { _ in }) }
      file.add(7, encodedStructures: Array(repeating: order, count: schema.count - 1))
    }
    footer.append(littleEndian: UInt32(footer.count))
    try put(footer + Self.mark, write)
  }

  private mutating func put(_ bytes: [UInt8], _ write: Write) throws {
    try write(bytes)
    offset += bytes.count
  }
}
