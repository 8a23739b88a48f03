extension MemTable {
  /// Writes the live rows to a segment, series by series; `dropped` gets the others' numbers.
  ///
  /// Nobody may append meanwhile.
  func write(
    to writer: SegmentWriter, without dead: DeletionVector, dropped: inout [UInt64]
  ) throws {
    let state = state.withLock { $0 }
    let keys = state.series.map { BlockKey($0.key, $0.kind) }
    let sealer = MemTableSealer(state: state, dead: dead, writer: writer)
    for key in keys.inSegmentOrder(symbols) { try sealer.write(key) }
    try sealer.flush()
    dropped += sealer.dropped
  }
}

/// Writes the live rows of a memtable to a segment, those of a series in order of start.
private final class MemTableSealer {
  /// A row of one of several chunks.
  private struct Entry {
    var start: Double
    var chunk: UInt32
    var row: UInt32
  }

  private let state: MemTableState
  private let dead: DeletionVector
  private let writer: SegmentWriter
  private(set) var dropped: [UInt64] = []
  private var inOrder: [Entry] = []
  private var late: [Entry] = []
  /// Copies of shared rows, and whose they are.
  private let copies = ColumnStorage(capacity: MemTableChunk.maximumRows)
  private var runs: [(key: BlockKey, rows: Range<Int>)] = []
  private var blobCount = 0

  init(state: MemTableState, dead: DeletionVector, writer: SegmentWriter) {
    self.state = state
    self.dead = dead
    self.writer = writer
  }

  func write(_ key: BlockKey) throws {
    guard let one = state.number(key.series, key.kind).map({ state.series[$0] }) else { return }
    inOrder.removeAll(keepingCapacity: true)
    if one.isShared {
      let shared = state.shared(key.kind)
      for row in shared.rows(of: one) {
        take(shared.chunks[Int(row >> 12)], row >> 12, row & 4095, key.kind)
      }
      mergeLate()
      try copy(shared, key)
      return
    }
    for (number, chunk) in one.chunks.enumerated() {
      for row in 0..<chunk.count { take(chunk, UInt32(number), UInt32(row), key.kind) }
    }
    mergeLate()
    try flush()
    let blocks = one.blocks(through: .max, state.symbols).map(\.block)
    var next = 0
    while next < inOrder.count {
      // Neighbours mostly stay neighbours, and a run is copied at once.
      let (chunk, first) = (inOrder[next].chunk, Int(inOrder[next].row))
      var length = 1
      while next + length < inOrder.count, inOrder[next + length].chunk == chunk,
        Int(inOrder[next + length].row) == first + length
      { length += 1 }
      next += length
      try writer.append(key, blocks[Int(chunk)], first..<first + length)
    }
  }

  /// Takes a row, unless it is dead.
  @inline(__always)
  private func take(_ chunk: MemTableChunk, _ number: UInt32, _ row: UInt32, _ kind: RowKind) {
    let columns = chunk.storage.pointers
    if kind == .sample, !dead.isEmpty, dead.contains(columns.sequence[Int(row)]) {
      dropped.append(columns.sequence[Int(row)])
      return
    }
    let entry = Entry(start: columns.start[Int(row)], chunk: number, row: row)
    if let last = inOrder.last, entry.start < last.start {
      late.append(entry)
    } else {
      inOrder.append(entry)
    }
  }

  /// Merges the late rows in, by start, then sequence number.
  ///
  /// Samples mostly arrive in order, so that they are few.
  private func mergeLate() {
    if late.isEmpty { return }
    func isBefore(_ left: Entry, _ right: Entry) -> Bool {
      left.start == right.start
        ? (left.chunk, left.row) < (right.chunk, right.row) : left.start < right.start
    }
    late.sort(by: isBefore)
    var merged: [Entry] = []
    merged.reserveCapacity(inOrder.count + late.count)
    var next = 0
    for entry in inOrder {
      while next < late.count, isBefore(late[next], entry) {
        merged.append(late[next])
        next += 1
      }
      merged.append(entry)
    }
    inOrder = merged + late[next...]
    late.removeAll(keepingCapacity: true)
  }

  /// Copies the rows, which are of one series, behind those of others of its type: the writer takes
  /// some thousand rows in the time of a few.
  private func copy(_ shared: SharedRows, _ key: BlockKey) throws {
    var end = runs.last?.rows.upperBound ?? 0
    if let last = runs.last?.key,
      last.series.type != key.series.type || last.kind != key.kind
        || end + inOrder.count > copies.capacity
    {
      try flush()
      end = 0
    }
    let first = end
    for entry in inOrder {
      shared.copyRow(entry.chunk << 12 | entry.row, to: copies.pointers, end, &blobCount)
      end += 1
    }
    if end > first { runs.append((key, first..<end)) }
  }

  /// Writes the copied rows.
  func flush() throws {
    guard let last = runs.last else { return }
    let block = Block(
      subject: last.key.series.subject, type: last.key.series.type, kind: last.key.kind,
      count: last.rows.upperBound, columns: copies.columns, symbols: state.symbols,
      pointers: copies.pointers, owner: copies)
    for run in runs { try writer.append(run.key, block, run.rows) }
    runs.removeAll(keepingCapacity: true)
    blobCount = 0
  }
}
