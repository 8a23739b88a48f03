/// A value in Thrift's compact protocol.
indirect enum ThriftValue {
  case boolean(Bool)
  case integer(Int64)
  case binary([UInt8])
  case list([ThriftValue])
  case structure([Int: ThriftValue])

  /// The field of a structure with an identifier, or nil if it is absent.
  subscript(id: Int) -> ThriftValue? {
    guard case .structure(let fields) = self else { return nil }
    return fields[id]
  }

  var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return Int(value)
  }

  var binary: [UInt8]? {
    guard case .binary(let value) = self else { return nil }
    return value
  }

  var text: String? { binary.map { String(decoding: $0, as: UTF8.self) } }

  var list: [ThriftValue]? {
    guard case .list(let value) = self else { return nil }
    return value
  }
}

/// A sequential reader of bytes, which throws at the end.
struct ByteReader {
  struct End: Error {}

  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

  mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw End() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func byte() throws -> UInt8 { try bytes(1).first ?? 0 }

  /// Reads an unsigned little-endian number of `count` bytes.
  mutating func number(_ count: Int) throws -> UInt64 {
    try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func varint() throws -> UInt64 {
    var (result, shift) = (UInt64(0), UInt64(0))
    while true {
      let byte = try byte()
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
  }

  mutating func zigzag() throws -> Int64 {
    let number = try varint()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}

extension ByteReader {
  /// Reads a structure in Thrift's compact protocol.
  mutating func structure() throws -> ThriftValue {
    var fields: [Int: ThriftValue] = [:]
    var id = 0
    while true {
      let head = try byte()
      if head == 0 { return .structure(fields) }
      id = head >> 4 == 0 ? Int(try zigzag()) : id + Int(head >> 4)
      switch head & 15 {
      case 1: fields[id] = .boolean(true)
      case 2: fields[id] = .boolean(false)
      case let kind: fields[id] = try value(kind)
      }
    }
  }

  private mutating func value(_ kind: UInt8) throws -> ThriftValue {
    switch kind {
    case 3: return .integer(Int64(Int8(bitPattern: try byte())))
    case 4, 5, 6: return .integer(try zigzag())
    case 8: return .binary(Array(try bytes(Int(try varint()))))
    case 9:
      let head = try byte()
      let count = head >> 4 == 15 ? Int(try varint()) : Int(head >> 4)
      return .list(try (0..<count).map { _ in try value(head & 15) })
    case 12: return try structure()
    default: throw End()
    }
  }
}
