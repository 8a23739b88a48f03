extension MemTable {
  /// Writes the live rows to a segment, series by series.
  ///
  /// Adds the sequence numbers of the deleted rows to `dropped`. No thread may append concurrently.
  func write(
    to writer: SegmentWriter, without deleted: DeletionVector, dropped: inout [UInt64]
  ) throws {
    let state = state.withLock { $0 }
    let keys = state.series.map { BlockKey($0.key, $0.kind) }
    let sealer = MemTableSealer(state: state, deleted: deleted, writer: writer)
    for key in keys.inSegmentOrder(symbols) { try sealer.write(key) }
    try sealer.finish()
    dropped += sealer.dropped
  }
}

/// A writer of a memtable's live rows to a segment, in order of start date within each series.
private final class MemTableSealer {
  /// A row of one of a series' chunks.
  private struct Entry {
    var start: Double
    var chunk: UInt32
    var row: UInt32
  }

  private let state: MemTableState
  private let deleted: DeletionVector
  private let writer: SegmentWriter
  private(set) var dropped: [UInt64] = []
  private var inOrder: [Entry] = []
  private var late: [Entry] = []
  private let shared: SharedRowSealer

  init(state: MemTableState, deleted: DeletionVector, writer: SegmentWriter) {
    self.state = state
    self.deleted = deleted
    self.writer = writer
    shared = SharedRowSealer(state: state, deleted: deleted, writer: writer)
  }

  func write(_ key: BlockKey) throws {
    guard let number = state.number(key.series, key.kind) else { return }
    if state.series[number].isShared { return try shared.write(number) }
    try shared.flush()
    inOrder.removeAll(keepingCapacity: true)
    let one = state.series[number]
    for (number, chunk) in one.chunks.enumerated() {
      for row in 0..<chunk.count { take(chunk, UInt32(number), UInt32(row), key.kind) }
    }
    mergeLate()
    let blocks = one.blocks(through: .max, state.symbols).map(\.block)
    var next = 0
    while next < inOrder.count {
      // Adjacent rows usually remain adjacent, so whole runs are copied.
      let (chunk, first) = (inOrder[next].chunk, Int(inOrder[next].row))
      var length = 1
      while next + length < inOrder.count, inOrder[next + length].chunk == chunk,
        Int(inOrder[next + length].row) == first + length
      { length += 1 }
      next += length
      try writer.append(key, blocks[Int(chunk)], first..<first + length)
    }
  }

  func finish() throws {
    try shared.flush()
    dropped += shared.dropped
  }

  /// Adds a row to the sorted or the late rows, unless it is deleted.
  @inline(__always)
  private func take(_ chunk: MemTableChunk, _ number: UInt32, _ row: UInt32, _ kind: RowKind) {
    let columns = chunk.storage.pointers
    if kind == .sample, !deleted.isEmpty, deleted.contains(columns.sequence[Int(row)]) {
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

  /// Merges the late rows, by start date, then sequence number.
  ///
  /// Samples usually arrive in order, so the late rows are few.
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
}
