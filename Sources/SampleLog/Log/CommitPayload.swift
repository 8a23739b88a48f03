/// The payload of a log frame: the records of one commit, decodable on its own.
///
/// Every frame contains the names of its symbols, so that damage to one frame does not affect
/// others.
package struct CommitPayload: Sendable {
  package var deletions = RowGroup()
  /// The number of trailing deletions that ``Preparation/carryDeletions(_:)`` added.
  ///
  /// Not stored.
  var carriedDeletionCount = 0
  package var rows = RowGroup()
  package var settings: [(key: [UInt8], value: [UInt8])] = []

  package init() {}

  /// The number of sequence numbers that the commit takes: for deletions, then samples, then
  /// settings.
  package var recordCount: Int { deletions.count + rows.count + settings.count }

  /// The sequence numbers of the samples that the commit deletes, without those deleted before.
  var deletedSequences: ArraySlice<UInt64> { deletions.target.dropLast(carriedDeletionCount) }

  /// Encodes the records.
  ///
  /// - Throws: ``StoreError/limitExceeded(_:actual:allowed:)`` for a name that is too long.
  package func encoded(symbols: SymbolTable) throws -> [UInt8] {
    var writer = ByteWriter(reserving: 512 + recordCount * 56)
    var names = LocalSymbols(expecting: recordCount, known: symbols.count)
    // The columns are encoded first, into a separate buffer, because they determine which names are
    // needed.
    var columns = ByteWriter(reserving: 256 + recordCount * 56)
    Self.encode(deletions, into: &columns, &names, isDeletion: true)
    Self.encode(rows, into: &columns, &names, isDeletion: false)
    writer.varint(UInt64(names.used.count))
    for symbol in names.used {
      // A stored symbol must keep its number, even if so far only a query has interned it.
      guard let name = symbols.keep(symbol) else { throw StoreError.unknownSymbol }
      try StoreLimit.nameBytes.check(name.count)
      writer.string(name)
    }
    writer.append(columns.bytes)
    writer.varint(UInt64(settings.count))
    for setting in settings {
      writer.string(setting.key)
      writer.string(setting.value)
    }
    return writer.bytes
  }

  private static func encode(
    _ group: RowGroup, into writer: inout ByteWriter, _ names: inout LocalSymbols, isDeletion: Bool
  ) {
    writer.varint(UInt64(group.count))
    guard group.count > 0 else { return }
    writer.symbols(group.subject, &names)
    writer.symbols(group.type, &names)
    writer.symbols(group.unit, &names)
    writer.symbols(group.source, &names)
    writer.symbols(group.device, &names)
    writer.array(group.id)
    writer.array(group.start)
    let isInstant = group.start.elementsEqual(group.end) { $0.bitPattern == $1.bitPattern }
    writer.byte(isInstant ? 0 : 1)
    if !isInstant { writer.array(group.end) }
    writer.array(group.value)
    if isDeletion { writer.array(group.target) }
    writer.varint(UInt64(group.blobs.count))
    for blob in group.blobs { writer.string(blob) }
    writer.codes(group.extras, below: group.blobs.count + 1)
  }

  /// Decodes a payload.
  ///
  /// Returns nil if the bytes are not a valid payload.
  package init?(_ bytes: UnsafeRawBufferPointer, symbols: SymbolTable) {
    var reader = ByteReader(bytes)
    guard let nameCount = reader.count() else { return nil }
    var names: [Symbol] = []
    for _ in 0..<nameCount {
      guard let name = reader.string() else { return nil }
      names.append(symbols.intern(name))
    }
    guard let deletions = Self.decode(&reader, names, isDeletion: true),
      let rows = Self.decode(&reader, names, isDeletion: false),
      let controlCount = reader.count()
    else { return nil }
    self.deletions = deletions
    self.rows = rows
    for _ in 0..<controlCount {
      guard let key = reader.string(), let value = reader.string() else { return nil }
      settings.append((key, value))
    }
    if !reader.isAtEnd { return nil }
  }

  private static func decode(
    _ reader: inout ByteReader, _ names: [Symbol], isDeletion: Bool
  ) -> RowGroup? {
    var group = RowGroup()
    // Every row has a 16-byte identifier, which bounds the allocation that a corrupt count can
    // cause.
    guard let count = reader.count(), count <= reader.remaining / 16 else { return nil }
    if count == 0 { return group }
    func symbols() -> [Symbol]? { reader.codes(count, below: names.count, names) }
    guard let subject = symbols(), let type = symbols(), let unit = symbols(),
      let source = symbols(), let device = symbols(),
      let id = reader.array(of: Identifier.self, count),
      let start = reader.array(of: Double.self, count),
      let hasEnds = reader.byte(), hasEnds <= 1,
      let end = hasEnds == 0 ? start : reader.array(of: Double.self, count),
      let value = reader.array(of: Double.self, count)
    else { return nil }
    group.subject = subject
    group.type = type
    group.unit = unit
    group.source = source
    group.device = device
    group.id = id
    group.start = start
    group.end = end
    group.value = value
    if isDeletion {
      guard let target = reader.array(of: UInt64.self, count) else { return nil }
      group.target = target
    }
    guard let blobCount = reader.count() else { return nil }
    for _ in 0..<blobCount {
      guard let blob = reader.string(), !blob.isEmpty else { return nil }
      group.blobs.append(blob)
    }
    guard let extras = reader.codes(count, below: blobCount + 1) else { return nil }
    group.extras = extras
    return group
  }
}

/// The frame-local numbers of the symbols that a frame uses, in order of first use.
private struct LocalSymbols {
  private(set) var used: [Symbol] = []
  // For many rows a table indexed by symbol is faster; for few rows, a linear search.
  private var table: [UInt32] = []

  init(expecting rows: Int, known: Int) {
    if rows > 64 { table = [UInt32](repeating: .max, count: known) }
  }

  mutating func local(_ column: [Symbol]) -> [UInt32] {
    var last: (symbol: Symbol, local: UInt32)?
    return column.map { symbol in
      if let last, last.symbol == symbol { return last.local }
      let local = number(symbol)
      last = (symbol, local)
      return local
    }
  }

  mutating func number(_ symbol: Symbol) -> UInt32 {
    if Int(symbol) < table.count {
      if table[Int(symbol)] == .max {
        table[Int(symbol)] = UInt32(used.count)
        used.append(symbol)
      }
      return table[Int(symbol)]
    }
    if let index = used.firstIndex(of: symbol) { return UInt32(index) }
    used.append(symbol)
    return UInt32(used.count - 1)
  }
}

extension ByteWriter {
  fileprivate mutating func array<T: BitwiseCopyable>(_ values: [T]) {
    values.withUnsafeBytes { append($0) }
  }

  /// Appends symbols as frame-local numbers.
  fileprivate mutating func symbols(_ column: [Symbol], _ names: inout LocalSymbols) {
    // Usually all symbols are equal; then no column of local numbers is built.
    if let first = column.first, column.allSatisfy({ $0 == first }) {
      code(ofAll: names.number(first))
    } else {
      codes(names.local(column), below: names.used.count)
    }
  }

  /// Appends one number that applies to a whole column.
  private mutating func code(ofAll number: UInt32) {
    byte(0)
    varint(UInt64(number))
  }

  /// Appends numbers in the smallest width that fits all of them, or one number if all are equal.
  fileprivate mutating func codes(_ values: [UInt32], below limit: Int) {
    let first = values[0]
    if values.allSatisfy({ $0 == first }) {
      code(ofAll: first)
    } else if limit <= 1 << 8 {
      byte(1)
      array(values.map { UInt8(truncatingIfNeeded: $0) })
    } else if limit <= 1 << 16 {
      byte(2)
      array(values.map { UInt16(truncatingIfNeeded: $0) })
    } else {
      byte(4)
      array(values)
    }
  }
}

extension ByteReader {
  /// Reads the count of items that each take at least one byte.
  fileprivate mutating func count() -> Int? {
    guard let value = varint(), value <= UInt64(Int32.max) else { return nil }
    return Int(value)
  }

  fileprivate mutating func array<T: BitwiseCopyable>(of type: T.Type, _ count: Int) -> [T]? {
    let stride = MemoryLayout<T>.stride
    guard count <= remaining / stride, let bytes = slice(count * stride) else { return nil }
    return [T](unsafeUninitializedCapacity: count) { buffer, initialized in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      initialized = count
    }
  }

  /// Reads a number below `limit` for each row and, if names are given, replaces it with its name.
  fileprivate mutating func codes(
    _ count: Int, below limit: Int, _ names: [Symbol]? = nil
  ) -> [UInt32]? {
    switch byte() {
    case 0:
      guard let value = varint(), value < UInt64(limit) else { return nil }
      return [UInt32](repeating: names?[Int(value)] ?? UInt32(value), count: count)
    case 1: return codes(of: UInt8.self, count, below: limit, names)
    case 2: return codes(of: UInt16.self, count, below: limit, names)
    case 4: return codes(of: UInt32.self, count, below: limit, names)
    default: return nil
    }
  }

  private mutating func codes<Code: FixedWidthInteger & BitwiseCopyable>(
    of type: Code.Type, _ count: Int, below limit: Int, _ names: [Symbol]?
  ) -> [UInt32]? {
    let stride = MemoryLayout<Code>.stride
    guard count <= remaining / stride, let bytes = slice(count * stride) else { return nil }
    func code(_ row: Int) -> Code {
      bytes.loadUnaligned(fromByteOffset: row &* stride, as: Code.self)
    }
    // A pass without branches, which the compiler vectorises.
    var greatest: Code = 0
    for row in 0..<count { greatest = max(greatest, code(row)) }
    guard Int(greatest) < limit else { return nil }
    return [UInt32](unsafeUninitializedCapacity: count) { values, initialized in
      if let names {
        // In range: checked above, as `limit` is the number of names.
        names.withUnsafeBufferPointer { names in
          for row in 0..<count { values[row] = names[Int(code(row))] }
        }
      } else {
        for row in 0..<count { values[row] = UInt32(truncatingIfNeeded: code(row)) }
      }
      initialized = count
    }
  }
}
