/// The bytes of some columns of one block, read and checked.
struct BlockReader: @unchecked Sendable {
  let segment: Segment
  let block: Int
  let memory: RawMemory
  let columns: [UnsafeRawBufferPointer]

  var rows: Int { segment.directory.rows(block) }
  var byteCount: Int { memory.count }

  /// Reads columns with as few reads as make sense and checks each against its checksum.
  init(_ segment: Segment, _ block: Int, mask: UInt32) throws {
    self.segment = segment
    self.block = block
    let directory = segment.directory
    // Reading over a gap costs less than another system call when the gap is small.
    let bridged = 4096
    var runs: [Range<Int>] = []
    var places = [Int](repeating: 0, count: StoredColumn.count)
    var offset = directory.offset(block)
    var total = 0
    for column in 0..<StoredColumn.count {
      let length = directory.length(block, column)
      if mask & 1 << UInt32(column) != 0, length > 0 {
        if let last = runs.last, offset - last.upperBound <= bridged {
          runs[runs.count - 1] = last.lowerBound..<offset + length
          total += offset + length - last.upperBound
        } else {
          runs.append(offset..<offset + length)
          total += length
        }
        places[column] = total - length
      }
      offset += length
    }
    let memory = RawMemory(total)
    self.memory = memory
    var filled = 0
    for run in runs {
      let target = UnsafeMutableRawBufferPointer(start: memory.base + filled, count: run.count)
      guard try segment.file.read(into: target, at: run.lowerBound) == run.count else {
        throw StoreError.damaged(
          file: segment.name, offset: run.lowerBound, reason: "the file is cut")
      }
      filled += run.count
    }
    var found: [UnsafeRawBufferPointer] = []
    found.reserveCapacity(StoredColumn.count)
    for column in 0..<StoredColumn.count {
      guard mask & 1 << UInt32(column) != 0 else {
        found.append(UnsafeRawBufferPointer(start: nil, count: 0))
        continue
      }
      let bytes = UnsafeRawBufferPointer(
        start: memory.base + places[column], count: directory.length(block, column))
      guard checksum(bytes) == directory.checksum(block, column) else {
        throw segment.damaged(block, column, "wrong checksum")
      }
      found.append(bytes)
    }
    columns = found
  }

  /// Runs a decoder of a column and says where the damage is if it finds any.
  @inline(__always)
  func column<Result>(
    _ column: StoredColumn, _ decode: (inout ByteReader) throws(CodecError) -> Result
  ) throws -> Result {
    var reader = ByteReader(columns[column.rawValue])
    do {
      return try decode(&reader)
    } catch {
      throw segment.damaged(block, column.rawValue, error.reason)
    }
  }

  func integers(_ stored: StoredColumn, forOneRow: Bool = false) throws -> IntegerColumn {
    let rows = rows
    return try column(stored) { reader throws(CodecError) in
      try IntegerColumn(&reader, count: rows, forOneRow: forOneRow)
    }
  }

  func doubles(_ stored: StoredColumn, forOneRow: Bool = false) throws -> DoubleColumn {
    let rows = rows
    return try column(stored) { reader throws(CodecError) in
      try DoubleColumn(&reader, count: rows, forOneRow: forOneRow)
    }
  }

  func extras(forOneRow: Bool = false) throws -> ExtrasColumn {
    let rows = rows
    return try column(.extras) { reader throws(CodecError) in
      try ExtrasColumn(&reader, count: rows, forOneRow: forOneRow)
    }
  }

  func finish(_ storage: ColumnStorage, count: Int) -> Block {
    let series = segment.series[segment.directory.series(block)]
    return Block(
      subject: series.subject, type: series.type, kind: series.kind, count: count,
      columns: storage.columns, symbols: segment.symbols, pointers: storage.pointers,
      owner: storage)
  }

  // MARK: - Whole blocks

  /// Decodes all rows.
  func decode(_ set: ColumnSet) throws -> Block {
    defer { withExtendedLifetime(memory) {} }
    let rows = rows
    let extrasColumn = set.contains(.extras) ? try extras() : nil
    let storage = ColumnStorage(
      capacity: rows, columns: set, blobCapacity: extrasColumn?.blobCount ?? 0)
    let out = storage.pointers
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: rows * 2)
    defer { scratch.deallocate() }

    if set.contains(.start) || set.contains(.end) {
      let start = try doubles(.start)
      if set.contains(.start) {
        try column(.start) { _ throws(CodecError) in
          try start.decode(into: out.start, scratch: scratch)
        }
      }
      if set.contains(.end) {
        let end = try doubles(.end)
        let starts = set.contains(.start) ? UnsafePointer(out.start) : nil
        try column(.end) { _ throws(CodecError) in
          try end.decodeEnds(start: start, starts: starts, into: out.end, scratch: scratch)
        }
      }
    }
    if set.contains(.value) { try decode(.value, into: out.value, scratch) }
    if set.contains(.unit) { try decode(.unit, into: out.unit, scratch) }
    if set.contains(.source) { try decode(.source, into: out.source, scratch) }
    if set.contains(.device) { try decode(.device, into: out.device, scratch) }
    if let extrasColumn {
      let kept = try column(.extras) { _ throws(CodecError) in
        try extrasColumn.decode(codes: out.extras, blobs: out.blobs, scratch: scratch)
      }
      if let kept { storage.keep(kept) }
    }
    if set.contains(.sequence) { try decode(.sequence, into: out.sequence, scratch) }
    if set.contains(.target) {
      try decode(.target, into: out.target, scratch)
      try decode(.time, into: out.time, scratch)
    }
    if set.contains(.id) {
      let sequences = set.contains(.sequence) ? UnsafePointer(out.sequence) : nil
      try decodeIdentifiers(sequences, into: out.id, scratch)
    }
    return finish(storage, count: rows)
  }

  private func decode(
    _ stored: StoredColumn, into out: UnsafeMutablePointer<Double>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let doubles = try doubles(stored)
    try column(stored) { _ throws(CodecError) in try doubles.decode(into: out, scratch: scratch) }
  }

  func decode(
    _ stored: StoredColumn, into out: UnsafeMutablePointer<UInt64>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let integers = try integers(stored)
    integers.decode(into: scratch)
    let first = segment.header.first
    var greatest: UInt64 = 0
    for row in 0..<rows {
      let distance = UInt64(bitPattern: scratch[row])
      greatest = max(greatest, distance)
      out[row] = first &+ distance
    }
    // Readers count on this; the target of a deletion may be anywhere.
    if stored == .sequence, greatest > segment.header.last &- first {
      throw segment.damaged(block, stored.rawValue, "a sequence number outside of the segment")
    }
  }

  private func decode(
    _ stored: StoredColumn, into out: UnsafeMutablePointer<Symbol>,
    _ scratch: UnsafeMutablePointer<Int64>
  ) throws {
    let integers = try integers(stored)
    let symbols = segment.localSymbols
    if let constant = integers.constant {
      out.update(repeating: try symbol(constant, stored), count: rows)
      return
    }
    integers.decode(into: scratch)
    let limit = UInt64(symbols.count)
    var greatest: UInt64 = 0
    for row in 0..<rows { greatest = max(greatest, UInt64(bitPattern: scratch[row])) }
    guard greatest < limit else {
      throw segment.damaged(block, stored.rawValue, "a symbol that does not exist")
    }
    symbols.withUnsafeBufferPointer { symbols in
      // In range: checked above.
      let base = symbols.baseAddress.unsafelyUnwrapped
      for row in 0..<rows { out[row] = base[Int(scratch[row])] }
    }
  }

  func symbol(_ code: Int64, _ stored: StoredColumn) throws -> Symbol {
    guard code >= 0, code < segment.localSymbols.count else {
      throw segment.damaged(block, stored.rawValue, "a symbol that does not exist")
    }
    return segment.localSymbols[Int(code)]
  }
}
