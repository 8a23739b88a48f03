import SampleLog

/// A strict reader of Apache Parquet files.
struct ParquetReader: TableReader {
  typealias Cell = TableCell

  struct Chunk {
    var cells: [Cell?]
    /// The encodings of the data pages.
    var encodings: Set<Int>
    var codec: Int
    var metadata: ThriftValue
  }

  struct Damage: Error { var reason: String }

  let footer: ThriftValue
  /// The names of the columns, in order.
  let names: [String]
  /// The columns of each row group.
  private(set) var groups: [[String: Chunk]] = []

  /// Returns the cells of a column in all row groups.
  func column(_ name: String) -> [Cell?] { groups.flatMap { $0[name]?.cells ?? [] } }

  init(_ file: [UInt8]) throws {
    guard file.starts(with: Array("PAR1".utf8)), file.suffix(4) == ArraySlice("PAR1".utf8) else {
      throw Damage(reason: "no magic number")
    }
    var tail = ByteReader(file.suffix(8))
    let length = Int(try tail.number(4))
    var reader = ByteReader(file.dropLast(8).suffix(length))
    footer = try reader.structure()
    guard reader.rest.isEmpty else { throw Damage(reason: "a footer that is too long") }
    let schema = try Self.need(footer[2]?.list)
    guard schema.first?[5]?.integer == schema.count - 1 else { throw Damage(reason: "schema") }
    names = schema.dropFirst().compactMap { $0[4]?.text }
    var end = 4
    for group in try Self.need(footer[4]?.list) {
      var columns: [String: Chunk] = [:]
      for (element, entry) in zip(schema.dropFirst(), try Self.need(group[1]?.list)) {
        let chunk = try Self.chunk(file, try Self.need(entry[3]), element, &end)
        guard chunk.cells.count == group[3]?.integer else { throw Damage(reason: "row count") }
        columns[try Self.need(element[4]?.text)] = chunk
      }
      groups.append(columns)
    }
    guard end == file.count - 8 - length else { throw Damage(reason: "bytes between pages") }
  }

  private static func need<T>(_ value: T?) throws -> T {
    guard let value else { throw Damage(reason: "a field is missing") }
    return value
  }

  /// Reads the pages of the chunk that begins at `end`, and advances `end` past the chunk.
  private static func chunk(
    _ file: [UInt8], _ metadata: ThriftValue, _ element: ThriftValue, _ end: inout Int
  ) throws -> Chunk {
    let type = try need(metadata[1]?.integer)
    let codec = try need(metadata[4]?.integer)
    guard try need(metadata[11]?.integer ?? metadata[9]?.integer) == end else {
      throw Damage(reason: "a chunk that is elsewhere")
    }
    let size = try need(metadata[7]?.integer)
    var reader = ByteReader(file[end..<end + size])
    end += size
    var chunk = Chunk(cells: [], encodings: [], codec: codec, metadata: metadata)
    var dictionary: [Cell] = []
    var plainSize = 0
    while !reader.rest.isEmpty {
      let before = reader.rest.count
      let header = try reader.structure()
      plainSize += before - reader.rest.count + (header[2]?.integer ?? 0)
      let body = try reader.bytes(try need(header[3]?.integer))
      let page = try decompressed(body, count: try need(header[2]?.integer), codec)
      if let words = header[7] {
        dictionary = try plain(page, type, count: try need(words[1]?.integer))
      } else {
        let data = try need(header[5])
        let encoding = try need(data[2]?.integer)
        chunk.encodings.insert(encoding)
        chunk.cells += try cells(
          page, type, encoding, count: try need(data[1]?.integer), dictionary)
      }
    }
    guard plainSize == metadata[6]?.integer else { throw Damage(reason: "uncompressed size") }
    let nulls = chunk.cells.count { $0 == nil }
    guard nulls == metadata[12]?[3]?.integer, chunk.cells.count == metadata[5]?.integer else {
      throw Damage(reason: "counts")
    }
    return chunk
  }

  private static func decompressed(
    _ body: ArraySlice<UInt8>, count: Int, _ codec: Int
  ) throws -> [UInt8] {
    switch codec {
    case 0:
      guard body.count == count else { throw Damage(reason: "size of a page") }
      return Array(body)
    case 7:
      return try body.withUnsafeBytes { bytes in
        let memory = try Compression.decompress(bytes, count: count)
        return [UInt8](UnsafeRawBufferPointer(start: memory.base, count: count))
      }
    default: throw Damage(reason: "codec")
    }
  }

  private static func cells(
    _ page: [UInt8], _ type: Int, _ encoding: Int, count: Int, _ dictionary: [Cell]
  ) throws -> [Cell?] {
    var reader = ByteReader(page)
    let levels = try hybrid(
      reader.bytes(Int(try reader.number(4))), width: 1, count: count)
    let values = try self.values(
      Array(reader.rest), type, encoding, count: levels.count { $0 == 1 }, dictionary)
    var next = values.makeIterator()
    return levels.map { $0 == 1 ? next.next() : nil }
  }

  private static func values(
    _ bytes: [UInt8], _ type: Int, _ encoding: Int, count: Int, _ dictionary: [Cell]
  ) throws -> [Cell] {
    switch (encoding, type) {
    case (0, _): return try plain(bytes, type, count: count)
    case (8, _):
      let numbers = try hybrid(bytes.dropFirst(), width: Int(bytes.first ?? 0), count: count)
      return try numbers.map { number in
        guard number < dictionary.count else { throw Damage(reason: "dictionary") }
        return dictionary[Int(number)]
      }
    case (5, 2):
      var reader = ByteReader(bytes)
      let numbers = try deltas(&reader)
      guard reader.rest.isEmpty, numbers.count == count else { throw Damage(reason: "deltas") }
      return numbers.map { .integer($0) }
    case (6, 6):
      var reader = ByteReader(bytes)
      let lengths = try deltas(&reader)
      let texts = try lengths.map { Cell.bytes(Array(try reader.bytes(Int($0)))) }
      guard reader.rest.isEmpty, texts.count == count else { throw Damage(reason: "texts") }
      return texts
    case (9, 5):
      guard bytes.count == count * 8 else { throw Damage(reason: "streams") }
      return (0..<count).map { index in
        .double((0..<8).reduce(0) { $0 | UInt64(bytes[$1 * count + index]) << UInt64($1 * 8) })
      }
    default: throw Damage(reason: "encoding \(encoding) of type \(type)")
    }
  }

  private static func plain(_ bytes: [UInt8], _ type: Int, count: Int) throws -> [Cell] {
    var reader = ByteReader(bytes)
    let cells = try (0..<count).map { _ -> Cell in
      switch type {
      case 2: .integer(Int64(bitPattern: try reader.number(8)))
      case 5: .double(try reader.number(8))
      case 6: .bytes(Array(try reader.bytes(Int(try reader.number(4)))))
      case 7: .bytes(Array(try reader.bytes(16)))
      default: throw Damage(reason: "type \(type)")
      }
    }
    guard reader.rest.isEmpty else { throw Damage(reason: "a page that is too long") }
    return cells
  }

  /// Decodes runs of equal numbers and bit-packed groups.
  static func hybrid(_ bytes: ArraySlice<UInt8>, width: Int, count: Int) throws -> [UInt64] {
    var reader = ByteReader(bytes)
    var result: [UInt64] = []
    while result.count < count {
      let head = try reader.varint()
      if head & 1 == 0 {
        let number = try reader.number((width + 7) / 8)
        result += Array(repeating: number, count: Int(head >> 1))
      } else {
        let groups = Int(head >> 1)
        result += unpacked(try reader.bytes(groups * width), width: width, count: groups * 8)
      }
    }
    // Only the last group may be padded.
    guard reader.rest.isEmpty, result.count - count < 8 else { throw Damage(reason: "runs") }
    return Array(result.prefix(count))
  }

  /// Decodes blocks of differences (`DELTA_BINARY_PACKED`).
  static func deltas(_ reader: inout ByteReader) throws -> [Int64] {
    let (block, miniblocks) = (Int(try reader.varint()), Int(try reader.varint()))
    let count = Int(try reader.varint())
    var last = try reader.zigzag()
    var result = count > 0 ? [last] : []
    while result.count < count {
      let least = try reader.zigzag()
      for width in Array(try reader.bytes(miniblocks)) where result.count < count {
        let length = block / miniblocks
        let packed = try reader.bytes(length / 8 * Int(width))
        for number in unpacked(packed, width: Int(width), count: length).prefix(
          count - result.count)
        {
          last = last &+ least &+ Int64(bitPattern: number)
          result.append(last)
        }
      }
    }
    return result
  }

  private static func unpacked(
    _ bytes: ArraySlice<UInt8>, width: Int, count: Int
  ) -> [UInt64] {
    (0..<count).map { index in
      (0..<width).reduce(0) { number, bit in
        let place = index * width + bit
        let byte = bytes[bytes.startIndex + place / 8]
        return number | UInt64(byte >> UInt8(place % 8) & 1) << UInt64(bit)
      }
    }
  }
}
