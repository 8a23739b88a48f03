/// The rows of one subject, type and kind in the order of their sequence numbers.
struct MemTableSeries {
  let key: SeriesKey
  let kind: RowKind
  private(set) var count = 0
  private(set) var chunks: [MemTableChunk] = []

  init(key: SeriesKey, kind: RowKind) {
    self.key = key
    self.kind = kind
  }

  /// Appends some rows of a group whose first row has a sequence number.
  mutating func append(
    _ group: RowGroup, _ rows: [Int32], sequence: UInt64, time: Double,
    _ memory: inout ChunkMemory
  ) {
    var next = 0
    while next < rows.count {
      let chunk = chunkWithRoom(&memory)
      let end = min(next + chunk.storage.capacity - chunk.count, rows.count)
      rows[next..<end].withUnsafeBufferPointer { run in
        Self.copy(group, run, to: chunk, kind, sequence, time)
      }
      count += end - next
      next = end
    }
  }

  private static func copy(
    _ group: RowGroup, _ run: UnsafeBufferPointer<Int32>, to chunk: MemTableChunk, _ kind: RowKind,
    _ sequence: UInt64, _ time: Double
  ) {
    let to = chunk.storage.pointers
    let position = chunk.count
    func gather<T: BitwiseCopyable>(_ column: [T], _ target: UnsafeMutablePointer<T>) {
      column.withUnsafeBufferPointer { column in
        for (offset, row) in run.enumerated() { target[position + offset] = column[Int(row)] }
      }
    }
    gather(group.id, to.id)
    gather(group.start, to.start)
    gather(group.end, to.end)
    gather(group.value, to.value)
    gather(group.unit, to.unit)
    gather(group.source, to.source)
    gather(group.device, to.device)
    if kind == .deletion { gather(group.target, to.target) }
    // A blob's number in the chunk, looked up once for each of the group's.
    var numbers = [UInt32](repeating: 0, count: group.blobs.count + 1)
    for (offset, row) in run.enumerated() {
      to.sequence[position + offset] = sequence + UInt64(row)
      if kind == .deletion { to.time[position + offset] = time }
      let blob = Int(group.extras[Int(row)])
      if blob > 0, numbers[blob] == 0 {
        numbers[blob] = chunk.number(ofBlob: group.blobs[blob - 1])
      }
      to.extras[position + offset] = numbers[blob]
    }
    chunk.finishRows(run.count)
  }

  private mutating func chunkWithRoom(_ memory: inout ChunkMemory) -> MemTableChunk {
    guard let last = chunks.last else {
      let first = MemTableChunk(capacity: 16, kind: kind, &memory)
      chunks.append(first)
      return first
    }
    guard last.isFull else { return last }
    let next: MemTableChunk
    if last.count < MemTableChunk.maximumRows {
      next = MemTableChunk(growing: last, kind: kind, &memory)
      chunks[chunks.count - 1] = next
    } else {
      next = MemTableChunk(capacity: MemTableChunk.maximumRows, kind: kind, &memory)
      chunks.append(next)
    }
    return next
  }

  @inline(__always)
  func id(_ row: Int) -> Identifier { chunks[row >> 12].storage.pointers.id[row & 4095] }

  func blocks(through end: UInt64, symbols: SymbolTable) -> [MemTableBlock] {
    var result: [MemTableBlock] = []
    for (number, chunk) in chunks.enumerated() where chunk.zone.minSequence <= end {
      result.append(
        MemTableBlock(
          block: block(number, through: end, symbols: symbols), zone: chunk.zone))
    }
    return result
  }

  /// A chunk's rows up to a sequence number as a block; no row is copied.
  func block(_ number: Int, through end: UInt64, symbols: SymbolTable) -> Block {
    let chunk = chunks[number]
    var visible = chunk.count
    while visible > 0, chunk.storage.pointers.sequence[visible - 1] > end { visible -= 1 }
    return Block(
      subject: key.subject, type: key.type, kind: kind, count: visible,
      columns: chunk.storage.columns, symbols: symbols, pointers: chunk.storage.pointers,
      owner: chunk.storage)
  }

  /// Rows in order of sequence number, after one number through another, up to a limit.
  func rows(
    after: UInt64, through end: UInt64, limit: Int, symbols: SymbolTable
  ) -> [RowReference] {
    var result: [RowReference] = []
    let firstChunk = chunks.indices.partition { chunks[$0].zone.maxSequence <= after }
    for number in firstChunk..<chunks.count where result.count < limit {
      let block = block(number, through: end, symbols: symbols)
      let first = (0..<block.count).partition { block.sequence[$0] <= after }
      for row in first..<block.count where result.count < limit {
        result.append(RowReference(block, row))
      }
    }
    return result
  }

  /// The visible block with the latest start date.
  func newestBlock(through end: UInt64, symbols: SymbolTable) -> MemTableBlock? {
    var best: Int?
    for number in chunks.indices where chunks[number].zone.minSequence <= end {
      if best.map({ chunks[number].zone.maxStart >= chunks[$0].zone.maxStart }) ?? true {
        best = number
      }
    }
    return best.map { number in
      MemTableBlock(
        block: block(number, through: end, symbols: symbols), zone: chunks[number].zone)
    }
  }
}
