/// The rows of one subject, type and kind, in commit order.
///
/// A small series is stored among the ``SharedRows``, as a linked list. A larger one has its own
/// chunks, which are read column by column.
struct MemTableSeries {
  /// The maximum number of rows of a series without its own chunks.
  static let maximumSharedRows = 64

  // Narrow integers, because there may be as many series as rows.
  let key: SeriesKey
  private(set) var chunks: [MemTableChunk] = []
  /// The number of rows.
  var count: Int32 = 0
  /// During a commit: the number of added rows, and the position of the next one.
  var added: Int32 = 0
  var next: Int32 = 0
  /// The last row and the row with the latest start date, among the shared rows.
  var lastShared = SharedRows.none
  var newestShared = SharedRows.none
  let kind: RowKind

  init(key: SeriesKey, kind: RowKind) {
    self.key = key
    self.kind = kind
  }

  /// Whether the rows are stored among the shared rows.
  var isShared: Bool { chunks.isEmpty }

  /// Moves shared rows to the series' own chunks.
  mutating func leave(_ shared: SharedRows, _ rows: [UInt32], _ memory: inout ChunkMemory) {
    for row in rows {
      let chunk = chunks.withRoom(first: 4 * Self.maximumSharedRows, kind, &memory)
      chunk.append(row: Int(row) & 4095, of: shared.chunks[Int(row) >> 12], kind)
      chunk.include(last: 1)
    }
    (lastShared, newestShared) = (SharedRows.none, SharedRows.none)
  }

  /// Appends rows of a group; `sequence` is the sequence number of the group's first row.
  mutating func append(
    _ group: RowGroup, _ rows: UnsafeBufferPointer<Int32>, sequence: UInt64, time: Double,
    _ memory: inout ChunkMemory
  ) {
    var next = 0
    while next < rows.count {
      let chunk = chunks.withRoom(first: 4 * Self.maximumSharedRows, kind, &memory)
      let end = min(next + chunk.storage.capacity - chunk.count, rows.count)
      chunk.append(
        group, UnsafeBufferPointer(rebasing: rows[next..<end]), kind, sequence: sequence,
        time: time)
      chunk.include(last: end - next)
      next = end
    }
    count += Int32(rows.count)
  }

  @inline(__always)
  func id(_ row: Int) -> Identifier { chunks[row >> 12].storage.pointers.id[row & 4095] }

  /// Returns the chunks with rows through a sequence number, as blocks of these rows.
  func blocks(through end: UInt64, _ symbols: SymbolTable) -> [MemTableBlock] {
    chunks.filter { $0.zone.minSequence <= end }.map {
      MemTableBlock(block: block($0, through: end, symbols), zone: $0.zone)
    }
  }

  /// Returns a block of a chunk's rows through a sequence number, without copying them.
  func block(_ chunk: MemTableChunk, through end: UInt64, _ symbols: SymbolTable) -> Block {
    chunk.block(0..<chunk.count(through: end), key, kind, symbols)
  }

  /// Returns up to `limit` rows with sequence numbers in `after + 1 ... end`, in commit order.
  func rows(
    after: UInt64, through end: UInt64, limit: Int, _ symbols: SymbolTable
  ) -> [Row] {
    var result: [Row] = []
    let firstChunk = chunks.indices.partition { chunks[$0].zone.maxSequence <= after }
    for chunk in chunks[firstChunk...] where result.count < limit {
      let block = block(chunk, through: end, symbols)
      let first = (0..<block.count).partition { block.sequence[$0] <= after }
      for row in first..<block.count where result.count < limit {
        result.append(Row(block, row))
      }
    }
    return result
  }

  /// Returns the visible block with the latest start date.
  func newestBlock(through end: UInt64, _ symbols: SymbolTable) -> MemTableBlock? {
    var best: MemTableChunk?
    for chunk in chunks where chunk.zone.minSequence <= end {
      if best.map({ chunk.zone.maxStart >= $0.zone.maxStart }) ?? true { best = chunk }
    }
    return best.map { MemTableBlock(block: block($0, through: end, symbols), zone: $0.zone) }
  }
}
