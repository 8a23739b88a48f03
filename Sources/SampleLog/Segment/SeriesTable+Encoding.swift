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
    // Limits the allocation that a damaged count can cause.
    let capacity = min(footer.series, bytes.count * Block.maximumRows)
    var result = Result<[SegmentGroup], CodecError>.success([])
    var parts = Parts()
    var ends: [UInt32] = []
    parts.positions = [UInt32](unsafeUninitializedCapacity: capacity) { positions, count in
      ends = [UInt32](unsafeUninitializedCapacity: capacity) { ends, count in
        do throws(CodecError) {
          let groups = try decode(
            bytes, footer, types: types, subjects: subjects, positions: positions, ends: ends)
          count = groups.last?.series.upperBound ?? 0
          result = .success(groups)
        } catch {
          result = .failure(error)
        }
      }
      count = ends.count
    }
    parts.ends = ends
    parts.groups = try result.get()
    return parts
  }

  /// Parses the groups and initializes the columns of all series that they contain.
  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ footer: SegmentFooter, types: [Symbol], subjects: Int,
    positions: UnsafeMutableBufferPointer<UInt32>, ends: UnsafeMutableBufferPointer<UInt32>
  ) throws(CodecError) -> [SegmentGroup] {
    var reader = ByteReader(bytes)
    var groups: [SegmentGroup] = []
    var rows = (samples: 0, deletions: 0)
    var (series, row, block) = (0, 0, 0)
    func number(_ most: Int) throws(CodecError) -> Int {
      guard let number = reader.varint(), number <= UInt64(most) else {
        throw CodecError("a number of series makes no sense")
      }
      return Int(number)
    }
    let scratch = Scratch()
    defer { scratch.deallocate() }
    for _ in 0..<(try number(footer.blocks)) {
      guard let byte = reader.byte(), let kind = RowKind(rawValue: byte), try number(0) == 0 else {
        throw CodecError("series of an unknown kind")
      }
      let type = try number(types.count - 1)
      let blocks = try number(footer.blocks - block)
      let rowCount = try number(footer.rows - row)
      let count = try number(min(subjects, rowCount))
      guard blocks > 0, blocks <= rowCount, count > 0 else { throw CodecError("an empty series") }
      guard count <= positions.count - series else {
        throw CodecError("series that do not add up")
      }
      let group = SegmentGroup(
        type: types[type], kind: kind, series: series..<series + count, rows: row..<row + rowCount,
        blocks: block..<block + blocks)
      let own = UnsafeMutableBufferPointer(rebasing: positions[group.series])
      try readPositions(&reader, below: subjects, into: own, scratch)
      let ownEnds = UnsafeMutableBufferPointer(rebasing: ends[group.series])
      try readEnds(&reader, of: group.rows, into: ownEnds, scratch)
      groups.append(group)
      (series, row, block) = (series + count, row + rowCount, block + blocks)
      if kind == .sample { rows.samples += rowCount } else { rows.deletions += rowCount }
    }
    guard reader.isAtEnd, block == footer.blocks, series == footer.series,
      rows == (footer.samples, footer.deletions)
    else { throw CodecError("series that do not add up") }
    return groups
  }

  /// The memory for a part of a column while it is decoded.
  private struct Scratch {
    let values = UnsafeMutablePointer<Int64>.allocate(capacity: Block.maximumRows)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Block.maximumRows)

    func deallocate() {
      values.deallocate()
      bytes.deallocate()
    }
  }

  /// Reads the subjects of a group's series, which must ascend.
  private static func readPositions(
    _ reader: inout ByteReader, below subjects: Int,
    into positions: UnsafeMutableBufferPointer<UInt32>, _ scratch: Scratch
  ) throws(CodecError) {
    var last: Int64 = -1
    try forEachPart(&reader, positions.count) { column, range throws(CodecError) in
      let part = UnsafeMutableBufferPointer(rebasing: positions[range])
      var isInOrder = true
      // Usually every subject has every type.
      if let first = column.firstOfRun, first <= subjects {
        isInOrder = first > last
        let number = UInt32(truncatingIfNeeded: first)
        for index in 0..<part.count { part[index] = number &+ UInt32(truncatingIfNeeded: index) }
        last = first + Int64(part.count) - 1
      } else {
        column.decode(into: scratch.values)
        for index in 0..<part.count {
          let position = scratch.values[index]
          isInOrder = isInOrder && position > last
          last = position
          part[index] = UInt32(truncatingIfNeeded: position)
        }
      }
      guard isInOrder else { throw CodecError("series out of order") }
    }
    guard last < subjects else { throw CodecError("series that do not add up") }
  }

  /// Reads the row counts of a group's series, and writes the index after the last row of each.
  private static func readEnds(
    _ reader: inout ByteReader, of rows: Range<Int>,
    into ends: UnsafeMutableBufferPointer<UInt32>, _ scratch: Scratch
  ) throws(CodecError) {
    var row = Int64(rows.lowerBound)
    // The bits of all counts less 1, which are high if a count is not positive or too great.
    var bits: UInt64 = 0
    try forEachPart(&reader, ends.count) { column, range throws(CodecError) in
      let part = UnsafeMutableBufferPointer(rebasing: ends[range])
      let bytes = UnsafeMutableBufferPointer(start: scratch.bytes, count: part.count)
      if column.base > 0, column.unpackBytes(into: bytes) {
        bits |= UInt64(bitPattern: column.base &- 1)
        for index in 0..<part.count {
          row &+= column.base &+ Int64(bytes[index])
          part[index] = UInt32(truncatingIfNeeded: row)
        }
      } else {
        column.decode(into: scratch.values)
        for index in 0..<part.count {
          let count = scratch.values[index]
          bits |= UInt64(bitPattern: count &- 1)
          row &+= count
          part[index] = UInt32(truncatingIfNeeded: row)
        }
      }
    }
    // Counts of so few bits do not overflow when they are added.
    guard bits < UInt64(Segment.maximumRows) else { throw CodecError("series out of order") }
    guard row == rows.upperBound else { throw CodecError("series that do not add up") }
  }

  /// Calls a function with each part of a column of `count` integers and its range.
  @inline(__always)
  private static func forEachPart(
    _ reader: inout ByteReader, _ count: Int,
    _ body: (IntegerColumn, Range<Int>) throws(CodecError) -> Void
  ) throws(CodecError) {
    for first in stride(from: 0, to: count, by: Block.maximumRows) {
      let range = first..<min(first + Block.maximumRows, count)
      guard let length = reader.varint(), length <= UInt64(reader.remaining),
        let bytes = reader.slice(Int(length))
      else { throw CodecError("cut series") }
      var part = ByteReader(bytes)
      try body(IntegerColumn(&part, count: range.count), range)
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
