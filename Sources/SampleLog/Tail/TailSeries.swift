/// The rows of one subject, type and kind in the order of their sequence numbers.
struct TailSeries {
  let key: SeriesKey
  let kind: RowKind
  private(set) var count = 0
  private var chunks: [TailChunk] = []

  init(key: SeriesKey, kind: RowKind) {
    self.key = key
    self.kind = kind
  }

  @inline(__always)
  mutating func append(_ group: RowGroup, _ row: Int, sequence: UInt64, time: Double) {
    let chunk = chunkWithRoom()
    let to = chunk.storage.pointers
    let place = chunk.count
    let start = group.start[row]
    let end = group.end[row]
    let value = group.value[row]
    to.sequence[place] = sequence
    to.id[place] = group.id[row]
    to.start[place] = start
    to.end[place] = end
    to.value[place] = value
    to.unit[place] = group.unit[row]
    to.source[place] = group.source[row]
    to.device[place] = group.device[row]
    let blob = group.extras[row]
    to.extras[place] = blob == 0 ? 0 : chunk.number(ofBlob: group.blobs[Int(blob) - 1])
    if kind == .deletion {
      to.target[place] = group.target[row]
      to.time[place] = time
    }
    chunk.finishRow(start: start, end: end, sequence: sequence, value: value)
    count += 1
  }

  private mutating func chunkWithRoom() -> TailChunk {
    guard let last = chunks.last else {
      let first = TailChunk(capacity: 16, kind: kind)
      chunks.append(first)
      return first
    }
    guard last.isFull else { return last }
    let next: TailChunk
    if last.count < TailChunk.maximumRows {
      next = TailChunk(growing: last, kind: kind)
      chunks[chunks.count - 1] = next
    } else {
      next = TailChunk(capacity: TailChunk.maximumRows, kind: kind)
      chunks.append(next)
    }
    return next
  }

  @inline(__always)
  func id(_ row: Int) -> Identifier { chunks[row >> 12].storage.pointers.id[row & 4095] }

  func blocks(through end: UInt64, symbols: SymbolTable) -> [TailBlock] {
    var result: [TailBlock] = []
    for (number, chunk) in chunks.enumerated() where chunk.extent.minSequence <= end {
      result.append(
        TailBlock(
          block: block(number, through: end, symbols: symbols), extent: chunk.extent))
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
    let firstChunk = chunks.indices.partition { chunks[$0].extent.maxSequence <= after }
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
  func newestBlock(through end: UInt64, symbols: SymbolTable) -> TailBlock? {
    var best: Int?
    for number in chunks.indices where chunks[number].extent.minSequence <= end {
      if best.map({ chunks[number].extent.maxStart >= chunks[$0].extent.maxStart }) ?? true {
        best = number
      }
    }
    return best.map { number in
      TailBlock(
        block: block(number, through: end, symbols: symbols), extent: chunks[number].extent)
    }
  }
}
