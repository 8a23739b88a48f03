import SampleLog

/// The buffers of a column in an Arrow record batch, in the order of the format.
struct ArrowColumn {
  var count: Int
  var nullCount: Int
  var buffers: [[UInt8]]

  /// Creates a fixed-width column from the values of the rows that have one.
  private init(_ presence: Presence, byteCount: Int, _ values: UnsafeRawBufferPointer) {
    count = presence.count
    nullCount = presence.nullCount
    guard !presence.flags.isEmpty else {
      let spread =
        nullCount == 0
        ? [UInt8](values) : [UInt8](repeating: 0, count: count * byteCount)
      buffers = [Self.bitmap(presence), spread]
      return
    }
    var spread = [UInt8](repeating: 0, count: count * byteCount)
    var from = 0
    spread.withUnsafeMutableBytes { spread in
      for (row, flag) in presence.flags.enumerated() where flag == 1 {
        spread[row * byteCount..<(row + 1) * byteCount]
          .copyBytes(from: values[from..<from + byteCount])
        from += byteCount
      }
    }
    buffers = [Self.bitmap(presence), spread]
  }

  init<Value>(_ column: ValueColumn<Value>) {
    self = column.values.withUnsafeBytes {
      ArrowColumn(column.presence, byteCount: MemoryLayout<Value>.stride, $0)
    }
  }

  /// Creates a column with the texts of a dictionary.
  init(dictionary texts: [[UInt8]]) {
    count = texts.count
    nullCount = 0
    var offsets: [UInt8] = []
    var end: Int32 = 0
    offsets.append(littleEndian: end)
    for text in texts {
      end += Int32(text.count)
      offsets.append(littleEndian: end)
    }
    buffers = [[], offsets, Array(texts.joined())]
  }

  init(_ values: ColumnValues) {
    switch values {
    case .texts(let column): self.init(column.numbers)
    case .times(let column), .integers(let column): self.init(column)
    case .numbers(let column): self.init(column)
    case .identifiers(let column):
      // UUIDs are stored as big-endian bytes.
      self.init(column.presence, bigEndian: column.values)
    }
  }

  private init(_ presence: Presence, bigEndian values: [Identifier]) {
    let swapped = values.map { Identifier(high: $0.high.bigEndian, low: $0.low.bigEndian) }
    self = swapped.withUnsafeBytes { ArrowColumn(presence, byteCount: 16, $0) }
  }

  /// Returns the validity bitmap, which is empty if every row has a value.
  private static func bitmap(_ presence: Presence) -> [UInt8] {
    if presence.nullCount == 0 { return [] }
    var packer = BitPacker()
    if presence.flags.isEmpty { return [UInt8](repeating: 0, count: (presence.count + 7) / 8) }
    for flag in presence.flags { packer.append(UInt64(flag), width: 1) }
    packer.align()
    return packer.bytes
  }
}
