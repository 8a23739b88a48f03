extension SeriesTable {
  /// Parses the series of a file of the given format version.
  ///
  /// ``RawMemory/slack`` bytes after `bytes` must be readable.
  init(
    _ bytes: UnsafeRawBufferPointer, _ footer: SegmentFooter, _ names: SegmentNames,
    _ symbols: SymbolTable, version: UInt32
  ) throws(CodecError) {
    let isGrouped = version >= 3
    let parts =
      isGrouped
      ? try Self.decode(bytes, footer, types: names.symbols, subjects: names.subjects.count)
      : try Self.decodeSeparate(bytes, footer, symbols: names.symbols)
    try self.init(parts, names.subjects, symbols, isGrouped: isGrouped)
  }

  /// Encodes the series: for each group its common fields, then the subjects and row counts of its
  /// series as integer columns.
  static func encode(
    _ parts: Parts, type: (Symbol) -> UInt32, integers: IntegerEncoder
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(UInt64(parts.groups.count))
    var begin: UInt32 = 0
    for group in parts.groups {
      writer.byte(group.kind.rawValue)
      // The key domain: rows of different domains never share a block. Only 0 is in use.
      writer.varint(0)
      writer.varint(UInt64(type(group.type)))
      writer.varint(UInt64(group.blocks.count))
      writer.varint(UInt64(group.rows.count))
      writer.varint(UInt64(group.series.count))
      var counts: [Int64] = []
      counts.reserveCapacity(group.series.count)
      for number in group.series {
        counts.append(Int64(parts.ends[number] - begin))
        begin = parts.ends[number]
      }
      write(parts.positions[group.series].map(Int64.init), integers, into: &writer)
      write(counts, integers, into: &writer)
    }
    return writer.bytes
  }

  private static func write(
    _ numbers: [Int64], _ integers: IntegerEncoder, into writer: inout ByteWriter
  ) {
    for begin in stride(from: 0, to: numbers.count, by: Block.maximumRows) {
      let count = min(Block.maximumRows, numbers.count - begin)
      var column = ByteWriter()
      numbers.withUnsafeBufferPointer { numbers in
        guard let base = numbers.baseAddress else { return }
        integers.encode(base + begin, count: count, into: &column)
      }
      writer.string(column.bytes)
    }
  }

  /// Parses the output of ``encode(_:type:integers:)``.
  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ footer: SegmentFooter, types: [Symbol], subjects: Int
  ) throws(CodecError) -> Parts {
    var reader = ByteReader(bytes)
    var parts = Parts()
    var rows = (samples: 0, deletions: 0)
    func number(_ most: Int) throws(CodecError) -> Int {
      guard let number = reader.varint(), number <= UInt64(most) else {
        throw CodecError("a number of series makes no sense")
      }
      return Int(number)
    }
    // Limits the allocation that a damaged count can cause.
    let expected = min(footer.series, bytes.count * Block.maximumRows)
    parts.positions.reserveCapacity(expected)
    parts.ends.reserveCapacity(expected)
    let scratch = Scratch()
    defer { scratch.deallocate() }
    for _ in 0..<(try number(footer.blocks)) {
      guard let byte = reader.byte(), let kind = RowKind(rawValue: byte), try number(0) == 0 else {
        throw CodecError("series of an unknown kind")
      }
      let type = try number(types.count - 1)
      let blocks = try number(footer.blocks - parts.blockCount)
      let rowCount = try number(footer.rows - parts.rowCount)
      let count = try number(min(subjects, rowCount))
      guard blocks > 0, blocks <= rowCount, count > 0 else { throw CodecError("an empty series") }
      parts.begin(types[type], kind)
      parts.add(blocks: blocks)
      var last: Int64 = -1
      var row = Int64(parts.rowCount)
      let end = row + Int64(rowCount)
      var isInOrder = true
      try read(&reader, count: count, into: &parts.positions, scratch) { position in
        isInOrder = isInOrder && position > last
        last = position
        return position
      }
      try read(&reader, count: count, into: &parts.ends, scratch) { rows in
        isInOrder = isInOrder && rows > 0 && rows <= rowCount
        row &+= rows
        return row
      }
      guard isInOrder else { throw CodecError("series out of order") }
      guard last < subjects, row == end else { throw CodecError("series that do not add up") }
      parts.closeGroup()
      if kind == .sample { rows.samples += rowCount } else { rows.deletions += rowCount }
    }
    guard reader.isAtEnd, parts.blockCount == footer.blocks, parts.ends.count == footer.series,
      rows == (footer.samples, footer.deletions)
    else { throw CodecError("series that do not add up") }
    return parts
  }

  /// The memory for a part of a column while it is decoded.
  private struct Scratch {
    let values = UnsafeMutablePointer<Int64>.allocate(capacity: Block.maximumRows)
    let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: Block.maximumRows)

    func deallocate() {
      values.deallocate()
      numbers.deallocate()
    }
  }

  /// Decodes an integer column and appends the lower half of the result of `number` for each value.
  @inline(__always)
  private static func read(
    _ reader: inout ByteReader, count: Int, into result: inout [UInt32], _ scratch: Scratch,
    _ number: (Int64) -> Int64
  ) throws(CodecError) {
    var rest = count
    while rest > 0 {
      let next = min(Block.maximumRows, rest)
      guard let length = reader.varint(), length <= UInt64(reader.remaining),
        let bytes = reader.slice(Int(length))
      else { throw CodecError("cut series") }
      var columnReader = ByteReader(bytes)
      try IntegerColumn(&columnReader, count: next).decode(into: scratch.values)
      for index in 0..<next {
        scratch.numbers[index] = UInt32(truncatingIfNeeded: number(scratch.values[index]))
      }
      result.append(contentsOf: UnsafeBufferPointer(start: scratch.numbers, count: next))
      rest -= next
    }
  }

  /// Parses the series of format versions 1 and 2, whose series do not share blocks.
  private static func decodeSeparate(
    _ bytes: UnsafeRawBufferPointer, _ footer: SegmentFooter, symbols: [Symbol]
  ) throws(CodecError) -> Parts {
    var reader = ByteReader(bytes)
    var parts = Parts()
    var rows = (samples: 0, deletions: 0)
    for _ in 0..<footer.series {
      // Subject, type, kind, first block, blocks, rows: 32 bits each.
      guard let subject = reader.fixed(UInt32.self), let type = reader.fixed(UInt32.self),
        let kindNumber = reader.fixed(UInt32.self), let first = reader.fixed(UInt32.self),
        let count = reader.fixed(UInt32.self), let rowCount = reader.fixed(UInt32.self),
        Int(subject) < symbols.count, Int(type) < symbols.count, kindNumber <= 1,
        let kind = RowKind(rawValue: UInt8(kindNumber)), Int(first) == parts.blockCount, count > 0,
        Int(count) <= footer.blocks - parts.blockCount, rowCount >= count,
        Int(rowCount) <= footer.rows - parts.rowCount
      else { throw CodecError("a series makes no sense") }
      if kind == .sample { rows.samples += Int(rowCount) } else { rows.deletions += Int(rowCount) }
      parts.begin(symbols[Int(type)], kind)
      parts.add(blocks: Int(count))
      parts.add(position: subject, rows: Int(rowCount))
    }
    guard reader.isAtEnd, parts.blockCount == footer.blocks,
      rows == (footer.samples, footer.deletions)
    else { throw CodecError("series that do not add up") }
    return parts
  }
}
