/// A FlatBuffers table, with its fields by their index in the schema.
///
/// FlatBuffers offsets point forward, so a table is written before the objects it refers to.
struct FlatTable {
  indirect enum Value {
    case uint8(UInt8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case text(String)
    case table(FlatTable)
    case tables([FlatTable])
    /// A vector of structures of `each` 64-bit integers.
    case words([Int64], each: Int)

    /// The size of the value in the table, or of the offset to it, in bytes.
    fileprivate var byteCount: Int {
      switch self {
      case .uint8: 1
      case .int16: 2
      case .int32, .text, .table, .tables, .words: 4
      case .int64: 8
      }
    }
  }

  private var fields: [Value?]

  /// Creates a table; a nil field has its default value.
  init(_ fields: Value?...) { self.fields = fields }

  /// A buffer with the table as its root.
  var buffer: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    let root = write(to: &bytes)
    bytes.patch(0, to: root)
    return bytes
  }

  /// Appends the table and the objects it refers to, and returns the position of the table.
  private func write(to bytes: inout [UInt8]) -> Int {
    // The offsets of the fields from the start of the table, which is aligned to eight bytes.
    var size = 4
    let places = fields.map { field -> Int in
      guard let field else { return 0 }
      size += -size & (field.byteCount - 1)
      defer { size += field.byteCount }
      return size
    }
    let tableOfPlaces = 4 + 2 * fields.count
    bytes.pad(to: 8, behind: tableOfPlaces)
    let start = bytes.count + tableOfPlaces
    bytes.append(littleEndian: UInt16(tableOfPlaces))
    bytes.append(littleEndian: UInt16(size))
    for place in places { bytes.append(littleEndian: UInt16(place)) }
    bytes.append(littleEndian: Int32(tableOfPlaces))
    for (field, place) in zip(fields, places) {
      guard let field else { continue }
      bytes.append(contentsOf: repeatElement(0, count: start + place - bytes.count))
      switch field {
      case .uint8(let value): bytes.append(value)
      case .int16(let value): bytes.append(littleEndian: value)
      case .int32(let value): bytes.append(littleEndian: value)
      case .int64(let value): bytes.append(littleEndian: value)
      case .text, .table, .tables, .words: bytes.append(littleEndian: Int32(0))
      }
    }
    for (field, place) in zip(fields, places) {
      guard let field, let target = field.write(to: &bytes) else { continue }
      bytes.patch(start + place, to: target)
    }
    return start
  }
}

extension FlatTable.Value {
  /// Appends the object that the value refers to and returns its position.
  ///
  /// Returns nil for values that the table itself contains.
  fileprivate func write(to bytes: inout [UInt8]) -> Int? {
    switch self {
    case .uint8, .int16, .int32, .int64: return nil
    case .text(let text):
      bytes.pad(to: 4)
      defer { bytes.append(0) }
      return bytes.append(vector: text.utf8.count) { $0 += Array(text.utf8) }
    case .table(let table): return table.write(to: &bytes)
    case .tables(let tables):
      bytes.pad(to: 4)
      let start = bytes.append(vector: tables.count) {
        $0.append(contentsOf: repeatElement(0, count: 4 * tables.count))
      }
      for (index, table) in tables.enumerated() {
        bytes.patch(start + 4 + 4 * index, to: table.write(to: &bytes))
      }
      return start
    case .words(let words, let size):
      bytes.pad(to: 8, behind: 4)
      return bytes.append(vector: words.count / size) {
        for word in words { $0.append(littleEndian: word) }
      }
    }
  }
}

extension [UInt8] {
  /// Appends zeros until the length plus `more` is a multiple of `size`.
  fileprivate mutating func pad(to size: Int, behind more: Int = 0) {
    append(contentsOf: repeatElement(0, count: -(count + more) & (size - 1)))
  }

  /// Sets the offset stored at `place` so that it points to `target`.
  fileprivate mutating func patch(_ place: Int, to target: Int) {
    Swift.withUnsafeBytes(of: Int32(target - place).littleEndian) {
      replaceSubrange(place..<place + 4, with: $0)
    }
  }

  fileprivate mutating func append(vector count: Int, _ elements: (inout [UInt8]) -> Void) -> Int {
    defer { elements(&self) }
    append(littleEndian: UInt32(count))
    return self.count - 4
  }
}
