/// The columns of a block as they are in the file, read, checked and understood but not decoded,
/// and without the identifiers: what picking out single rows needs.
final class StoredRows: @unchecked Sendable {
  private let reader: BlockReader
  private let start: DoubleColumn
  private let end: DoubleColumn
  private let value: DoubleColumn
  private let unit: IntegerColumn
  private let source: IntegerColumn
  private let device: IntegerColumn
  private let sequence: IntegerColumn
  private let extras: ExtrasColumn
  private let blobs: ExtrasColumn.Blobs?
  /// A deletion's.
  private let target: IntegerColumn?
  private let time: DoubleColumn?

  /// Takes all columns but the identifiers.
  init(_ reader: BlockReader) throws {
    self.reader = reader
    start = try reader.doubles(.start, forOneRow: true)
    end = try reader.doubles(.end, forOneRow: true)
    value = try reader.doubles(.value, forOneRow: true)
    unit = try reader.integers(.unit, forOneRow: true)
    source = try reader.integers(.source, forOneRow: true)
    device = try reader.integers(.device, forOneRow: true)
    sequence = try reader.integers(.sequence, forOneRow: true)
    let extras = try reader.extras(forOneRow: true)
    self.extras = extras
    blobs = try reader.column(.extras) { _ throws(CodecError) in try extras.allBlobs() }
    let isDeletion =
      reader.segment.series[reader.segment.directory.series(reader.block)].kind
      == .deletion
    target = isDeletion ? try reader.integers(.target, forOneRow: true) : nil
    time = isDeletion ? try reader.doubles(.time, forOneRow: true) : nil
  }

  var block: Int { reader.block }

  /// What it takes in memory, roughly.
  var byteCount: Int {
    let doubles = start.ownByteCount + end.ownByteCount + value.ownByteCount
    let symbols = unit.ownByteCount + source.ownByteCount + device.ownByteCount
    let others = sequence.ownByteCount + (target?.ownByteCount ?? 0) + (time?.ownByteCount ?? 0)
    return reader.byteCount + doubles + symbols + others + (blobs?.byteCount ?? 0) + 2048
  }

  /// Decodes one row, with an identifier that has been read elsewhere.
  func decode(_ row: Int, _ set: ColumnSet, id: Identifier?) throws -> Block {
    let storage = ColumnStorage(capacity: 1, columns: set, blobCapacity: 1)
    try decode(row, set, into: storage, at: 0)
    if let id { storage.pointers.id[0] = id }
    return reader.finish(storage, count: 1)
  }

  /// Decodes a row's columns but the identifier into a place of some memory.
  func decode(_ row: Int, _ set: ColumnSet, into storage: ColumnStorage, at place: Int) throws {
    let out = storage.pointers
    if set.contains(.start) {
      out.start[place] = try reader.column(.start) { _ throws(CodecError) in
        try start.decode(row: row)
      }
    }
    if set.contains(.end) {
      out.end[place] = try reader.column(.end) { _ throws(CodecError) in
        try end.decodeEnd(row: row, start: start)
      }
    }
    if set.contains(.value) {
      out.value[place] = try reader.column(.value) { _ throws(CodecError) in
        try value.decode(row: row)
      }
    }
    if set.contains(.unit) { out.unit[place] = try reader.symbol(unit.decode(row: row), .unit) }
    if set.contains(.source) {
      out.source[place] = try reader.symbol(source.decode(row: row), .source)
    }
    if set.contains(.device) {
      out.device[place] = try reader.symbol(device.decode(row: row), .device)
    }
    if set.contains(.extras) { try decodeExtras(row, into: storage, at: place) }
    if set.contains(.sequence) {
      let number = try number(sequence, row)
      guard number <= reader.segment.header.last else {
        throw reader.segment.damaged(
          block, StoredColumn.sequence.rawValue, "a sequence number outside of the segment")
      }
      out.sequence[place] = number
    }
    if set.contains(.target), let target, let time {
      out.target[place] = try number(target, row)
      out.time[place] = try reader.column(.time) { _ throws(CodecError) in
        try time.decode(row: row)
      }
    }
  }

  private func number(_ column: IntegerColumn, _ row: Int) throws -> UInt64 {
    reader.segment.header.first &+ UInt64(bitPattern: column.decode(row: row))
  }

  private func decodeExtras(_ row: Int, into storage: ColumnStorage, at place: Int) throws {
    let out = storage.pointers
    out.extras[place] = 0
    let code = try reader.column(.extras) { _ throws(CodecError) in try extras.code(row: row) }
    guard code > 0, let blobs else { return }
    (out.blobs + place).initialize(to: blobs[code - 1])
    out.extras[place] = UInt32(place + 1)
    storage.keep(blobs)
  }
}
