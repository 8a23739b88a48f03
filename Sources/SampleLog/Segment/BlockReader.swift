/// The bytes of some columns of one block, read and verified against their checksums.
struct BlockReader: @unchecked Sendable {
  let segment: Segment
  let block: Int
  let memory: RawMemory
  let columns: [UnsafeRawBufferPointer]

  var rows: Int { segment.directory.rows(block) }
  var byteCount: Int { memory.count }

  /// Reads columns in as few system calls as practical and verifies the checksum of each.
  init(_ segment: Segment, _ block: Int, mask: UInt32) throws {
    self.segment = segment
    self.block = block
    let directory = segment.directory
    // Reading through a small gap costs less than another system call.
    let bridged = 4096
    var runs: [Range<Int>] = []
    var offsets = [Int](repeating: 0, count: StoredColumn.count)
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
        offsets[column] = total - length
      }
      offset += length
    }
    let memory = RawMemory(total)
    self.memory = memory
    var filled = 0
    for run in runs {
      let target = UnsafeMutableRawBufferPointer(start: memory.base + filled, count: run.count)
      guard try segment.file.readNow(into: target, at: run.lowerBound) == run.count else {
        throw segment.damaged(at: run.lowerBound, "the file is cut")
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
        start: memory.base + offsets[column], count: directory.length(block, column))
      guard checksum(bytes) == directory.checksum(block, column) else {
        throw segment.damaged(block, column, "wrong checksum")
      }
      found.append(bytes)
    }
    columns = found
  }

  /// Runs a decoder on a column and adds the location to any error that it throws.
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

  /// Returns a block of a nonempty range of decoded rows, with a subject column if `hasSubjects`.
  func finish(_ storage: ColumnStorage, rows: Range<Int>, hasSubjects: Bool = true) -> Block {
    let group = segment.group(ofBlock: block)
    return Block(
      subject: segment.subject(ofRow: rows.lowerBound, inBlock: block),
      subjects: hasSubjects
        ? segment.subjects(ofRows: rows, inBlock: block, keptBy: storage) : nil,
      type: group.type, kind: group.kind, count: rows.count, columns: storage.columns,
      symbols: segment.symbols, pointers: storage.pointers, streams: storage.streams,
      owner: storage)
  }

  func symbol(_ code: Int64, _ stored: StoredColumn) throws -> Symbol {
    guard code >= 0, code < segment.localSymbols.count else {
      throw segment.damaged(block, stored.rawValue, "a symbol that does not exist")
    }
    return segment.localSymbols[Int(code)]
  }
}
