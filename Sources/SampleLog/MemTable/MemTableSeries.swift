/// The rows of one subject, type and kind in the order of their sequence numbers.
///
/// While they are few they are among the ``SharedRows``, where each knows the one before; then they
/// get chunks of their own, which can be read column by column.
struct MemTableSeries {
  /// With more rows than these a series has chunks of its own.
  static let maximumSharedRows = 64

  // There may be one for each row, so numbers are short.
  let key: SeriesKey
  private(set) var chunks: [MemTableChunk] = []
  /// How many rows there are.
  var count: Int32 = 0
  /// While a commit is taken: how many rows it adds, and where the next goes.
  var added: Int32 = 0
  var next: Int32 = 0
  /// Its last row and the one with the latest start among the shared ones.
  var lastShared = SharedRows.none
  var newestShared = SharedRows.none
  let kind: RowKind

  init(key: SeriesKey, kind: RowKind) {
    self.key = key
    self.kind = kind
  }

  /// Whether the rows are among the shared ones.
  var isShared: Bool { chunks.isEmpty }

  /// Moves rows that have been shared to a chunk of the series' own.
  mutating func leave(_ shared: SharedRows, _ rows: [UInt32], _ memory: inout ChunkMemory) {
    for row in rows {
      let chunk = chunks.withRoom(first: 4 * Self.maximumSharedRows, kind, &memory)
      chunk.append(row: Int(row) & 4095, of: shared.chunks[Int(row) >> 12], kind)
      chunk.include(last: 1)
    }
    (lastShared, newestShared) = (SharedRows.none, SharedRows.none)
  }

  /// Appends some rows of a group whose first row has a sequence number.
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

  /// The chunks that have rows up to a sequence number, as blocks of those.
  func blocks(through end: UInt64, _ symbols: SymbolTable) -> [MemTableBlock] {
    chunks.filter { $0.zone.minSequence <= end }.map {
      MemTableBlock(block: block($0, through: end, symbols), zone: $0.zone)
    }
  }

  /// A chunk's rows up to a sequence number as a block; no row is copied.
  func block(_ chunk: MemTableChunk, through end: UInt64, _ symbols: SymbolTable) -> Block {
    chunk.block(0..<chunk.count(through: end), key, kind, symbols)
  }

  /// Rows in order of sequence number, after one number through another, up to a limit.
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

  /// The visible block with the latest start date.
  func newestBlock(through end: UInt64, _ symbols: SymbolTable) -> MemTableBlock? {
    var best: MemTableChunk?
    for chunk in chunks where chunk.zone.minSequence <= end {
      if best.map({ chunk.zone.maxStart >= $0.zone.maxStart }) ?? true { best = chunk }
    }
    return best.map { MemTableBlock(block: block($0, through: end, symbols), zone: $0.zone) }
  }
}
