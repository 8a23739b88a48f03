/// A writer of structures in Thrift's compact protocol.
///
/// Fields must be added in ascending order of their identifiers.
struct ThriftWriter {
  private enum Kind: UInt8 {
    case yes = 1
    case no = 2
    case int16 = 4
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  private(set) var bytes: [UInt8] = []
  /// The identifier of the previous field of the current structure.
  private var previous = 0

  /// Returns the encoded structure.
  static func structure(_ body: (inout ThriftWriter) -> Void) -> [UInt8] {
    var writer = ThriftWriter()
    writer.addFields(body)
    return writer.bytes
  }

  mutating func add(_ id: Int, _ isTrue: Bool) { begin(id, isTrue ? .yes : .no) }

  mutating func add(_ id: Int, int16 number: Int) {
    begin(id, .int16)
    bytes.append(zigzag: Int64(number))
  }

  mutating func add(_ id: Int, int32 number: Int) {
    begin(id, .int32)
    bytes.append(zigzag: Int64(number))
  }

  mutating func add(_ id: Int, int64 number: Int) {
    begin(id, .int64)
    bytes.append(zigzag: Int64(number))
  }

  mutating func add(_ id: Int, binary value: [UInt8]) {
    begin(id, .binary)
    append(value)
  }

  mutating func add(_ id: Int, _ text: String) { add(id, binary: Array(text.utf8)) }

  mutating func add(_ id: Int, structure body: (inout ThriftWriter) -> Void) {
    begin(id, .structure)
    addFields(body)
  }

  mutating func add(_ id: Int, int32s numbers: [Int]) {
    begin(id, list: .int32, numbers.count)
    for number in numbers { bytes.append(zigzag: Int64(number)) }
  }

  mutating func add(_ id: Int, texts: [String]) {
    begin(id, list: .binary, texts.count)
    for text in texts { append(Array(text.utf8)) }
  }

  /// Adds a list of encoded structures.
  mutating func add(_ id: Int, encodedStructures elements: [[UInt8]]) {
    begin(id, list: .structure, elements.count)
    for element in elements { bytes += element }
  }

  private mutating func addFields(_ body: (inout ThriftWriter) -> Void) {
    let outer = previous
    previous = 0
    body(&self)
    bytes.append(0)
    previous = outer
  }

  private mutating func begin(_ id: Int, _ kind: Kind) {
    let step = id - previous
    if (1...15).contains(step) {
      bytes.append(UInt8(step) << 4 | kind.rawValue)
    } else {
      bytes.append(kind.rawValue)
      bytes.append(zigzag: Int64(id))
    }
    previous = id
  }

  private mutating func begin(_ id: Int, list kind: Kind, _ count: Int) {
    begin(id, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }

  private mutating func append(_ value: [UInt8]) {
    bytes.append(varint: UInt64(value.count))
    bytes += value
  }
}
