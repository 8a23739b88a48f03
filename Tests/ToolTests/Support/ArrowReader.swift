/// A strict reader of the Apache Arrow IPC streaming format.
struct ArrowReader: TableReader {
  private struct Field {
    var name: String
    /// The number of the type in the union `Type` of the format.
    var type: Int
    var dictionary: Int?
  }

  struct Damage: Error { var reason: String }

  private var fields: [Field] = []
  private var dictionaries: [Int: [TableCell]] = [:]
  private var cells: [String: [TableCell?]] = [:]
  private(set) var batchCount = 0

  var names: [String] { fields.map(\.name) }

  func column(_ name: String) -> [TableCell?] { cells[name] ?? [] }

  init(_ stream: [UInt8]) throws {
    var reader = ByteReader(stream)
    while true {
      guard try reader.number(4) == 0xFFFF_FFFF else { throw Damage(reason: "continuation") }
      let size = Int(try reader.number(4))
      if size == 0 { break }
      guard size % 8 == 0 else { throw Damage(reason: "alignment") }
      let message = FlatReader(Array(try reader.bytes(size)))
      guard message.integer(0, 2) == 4 else { throw Damage(reason: "version") }
      let body = Array(try reader.bytes(message.integer(3, 8)))
      guard let header = message.table(2) else { throw Damage(reason: "no header") }
      switch message.integer(1, 1) {
      case 1: try readSchema(header)
      case 2:
        guard let data = header.table(1) else { throw Damage(reason: "no data") }
        var batch = try Batch(data, body)
        dictionaries[header.integer(0, 8)] = try batch.texts()
      case 3: try readRows(Batch(header, body))
      default: throw Damage(reason: "kind of message")
      }
    }
    guard reader.rest.isEmpty else { throw Damage(reason: "bytes behind the end") }
  }

  private mutating func readSchema(_ schema: FlatReader) throws {
    fields = schema.tables(1).map { field in
      Field(
        name: field.text(0), type: field.integer(2, 1),
        dictionary: field.table(4).map { $0.integer(0, 8) })
    }
    for field in fields { cells[field.name] = [] }
  }

  private mutating func readRows(_ batch: Batch) throws {
    var batch = batch
    batchCount += 1
    for field in fields {
      let width = field.dictionary != nil ? 4 : field.type == 15 ? 16 : 8
      let dictionary = field.dictionary.flatMap { dictionaries[$0] }
      cells[field.name]? += try batch.values(width).map { bytes -> TableCell? in
        guard let bytes else { return nil }
        let number = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if field.dictionary != nil { return dictionary?[Int(number)] }
        return switch field.type {
        case 2, 10: .integer(Int64(bitPattern: number))
        case 3: .double(number)
        default: .bytes(Array(bytes))
        }
      }
    }
    guard batch.isAtEnd else { throw Damage(reason: "more buffers than columns have") }
  }

  /// A reader of the arrays of a record batch, in order.
  private struct Batch {
    private let body: [UInt8]
    private var nodes: ArraySlice<(count: Int, nulls: Int)>
    private var places: ArraySlice<(offset: Int, count: Int)>

    var isAtEnd: Bool { nodes.isEmpty && places.isEmpty }

    init(_ table: FlatReader, _ body: [UInt8]) throws {
      self.body = body
      nodes = table.pairs(1).map { (count: $0, nulls: $1) }[...]
      places = table.pairs(2).map { (offset: $0, count: $1) }[...]
      for place in places where place.offset % 8 != 0 || place.offset + place.count > body.count {
        throw Damage(reason: "place of a buffer")
      }
      for node in nodes where node.count != table.integer(0, 8) { throw Damage(reason: "length") }
    }

    private mutating func node() throws -> (count: Int, nulls: Int) {
      guard let node = nodes.popFirst() else { throw Damage(reason: "no node") }
      return node
    }

    private mutating func buffer() throws -> ArraySlice<UInt8> {
      guard let place = places.popFirst() else { throw Damage(reason: "no buffer") }
      return body[place.offset..<place.offset + place.count]
    }

    mutating func values(_ width: Int) throws -> [ArraySlice<UInt8>?] {
      let (count, nulls) = try node()
      let (bitmap, bytes) = (try buffer(), try buffer())
      guard bytes.count == count * width, nulls == 0 || bitmap.count == (count + 7) / 8 else {
        throw Damage(reason: "size of a buffer")
      }
      let values = (0..<count).map { row -> ArraySlice<UInt8>? in
        if nulls > 0, bitmap[bitmap.startIndex + row / 8] >> UInt8(row % 8) & 1 == 0 { return nil }
        return bytes.dropFirst(row * width).prefix(width)
      }
      guard values.count(where: { $0 == nil }) == nulls else { throw Damage(reason: "nulls") }
      return values
    }

    mutating func texts() throws -> [TableCell] {
      let count = try node().count
      _ = try buffer()
      var offsets = ByteReader(try buffer())
      let ends = try (0...count).map { _ in Int(try offsets.number(4)) }
      let text = try buffer()
      guard offsets.rest.isEmpty, ends.first == 0, ends.last == text.count, isAtEnd else {
        throw Damage(reason: "texts")
      }
      return zip(ends, ends.dropFirst()).map { .bytes(Array(text.dropFirst($0).prefix($1 - $0))) }
    }
  }
}

/// A FlatBuffers table.
struct FlatReader {
  private let bytes: [UInt8]
  private let start: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    start = Self.number(bytes, 0, 4)
  }

  private init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
    precondition(place % size == 0, "A number is not aligned.")
    let word = bytes[place..<place + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(Int64(bitPattern: word << UInt64(64 - 8 * size))) >> (64 - 8 * size)
  }

  /// Returns the position of a field, or nil if it is absent.
  private func place(_ index: Int) -> Int? {
    let table = start - Self.number(bytes, start, 4)
    guard 4 + 2 * index < Self.number(bytes, table, 2) else { return nil }
    let place = Self.number(bytes, table + 4 + 2 * index, 2)
    return place == 0 ? nil : start + place
  }

  private func target(_ index: Int) -> Int? {
    place(index).map { $0 + Self.number(bytes, $0, 4) }
  }

  func integer(_ index: Int, _ size: Int) -> Int {
    place(index).map { Self.number(bytes, $0, size) } ?? 0
  }

  func table(_ index: Int) -> FlatReader? { target(index).map { FlatReader(bytes, at: $0) } }

  func text(_ index: Int) -> String {
    guard let target = target(index) else { return "" }
    let count = Self.number(bytes, target, 4)
    precondition(bytes[target + 4 + count] == 0, "A text has no end.")
    return String(decoding: bytes[target + 4..<target + 4 + count], as: UTF8.self)
  }

  func tables(_ index: Int) -> [FlatReader] {
    guard let target = target(index) else { return [] }
    return (0..<Self.number(bytes, target, 4)).map { element in
      let place = target + 4 + 4 * element
      return FlatReader(bytes, at: place + Self.number(bytes, place, 4))
    }
  }

  func pairs(_ index: Int) -> [(Int, Int)] {
    guard let target = target(index) else { return [] }
    return (0..<Self.number(bytes, target, 4)).map { element in
      let place = target + 4 + 16 * element
      return (Self.number(bytes, place, 8), Self.number(bytes, place + 8, 8))
    }
  }
}
