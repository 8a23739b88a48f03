/// A writer of the live shared rows to a segment, in batches of several thousand rows.
final class SharedRowSealer {
  private let state: MemTableState
  private let deleted: DeletionVector
  private let writer: SegmentWriter
  private(set) var dropped: [UInt64] = []
  /// The shared rows of each kind, grouped by series, and the first position of each series.
  private var rows: [[UInt32]] = []
  private var begins: [Int]
  /// The copied rows of the current type and kind; `runs` holds their series.
  private let copies = ColumnStorage(capacity: MemTableChunk.maximumRows)
  private var runs: [(key: BlockKey, rows: Range<Int>)] = []
  private var count = 0
  private var blobCount = 0
  private var entries: [Entry] = []

  private struct Entry {
    var start: Double
    var row: UInt32
  }

  init(state: MemTableState, deleted: DeletionVector, writer: SegmentWriter) {
    self.state = state
    self.deleted = deleted
    self.writer = writer
    begins = []
    for kind in [RowKind.sample, .deletion] { rows.append(sorted(kind)) }
  }

  /// Returns the shared rows of a kind, grouped by series and in commit order within each.
  private func sorted(_ kind: RowKind) -> [UInt32] {
    if begins.isEmpty { begins = [Int](repeating: 0, count: state.series.count) }
    var count = 0
    var next = [Int32](repeating: -1, count: state.series.count)
    for (number, one) in state.series.enumerated() where one.kind == kind && one.isShared {
      begins[number] = count
      next[number] = Int32(count)
      count += Int(one.count)
    }
    return [UInt32](unsafeUninitializedCapacity: count) { rows, initialized in
      for (row, number) in state.shared(kind).series.enumerated() {
        // Also contains rows of series that have moved to their own chunks.
        let position = Int(next[Int(number)])
        if position < 0 { continue }
        rows[position] = UInt32(row)
        next[Int(number)] += 1
      }
      initialized = count
    }
  }

  /// Copies the live rows of a series to the current batch.
  func write(_ number: Int) throws {
    let one = state.series[number]
    let shared = one.kind == .sample ? state.sharedSamples : state.sharedDeletions
    collect(
      rows[Int(one.kind.rawValue)][begins[number]..<begins[number] + Int(one.count)], of: shared)
    if entries.isEmpty { return }
    if let last = runs.last?.key,
      last.series.type != one.key.type || last.kind != one.kind
        || count + entries.count > copies.capacity
    {
      try flush()
    }
    let first = count
    // Each row has at most one blob, so the blobs fit as well.
    precondition(
      first + entries.count <= copies.capacity && blobCount <= first, "rows beyond a buffer")
    let columns = copies.pointers
    for entry in entries {
      shared.copyRow(entry.row, to: columns, count, &blobCount)
      count += 1
    }
    runs.append((BlockKey(one.key, one.kind), first..<count))
  }

  /// Collects the live rows of a list, sorted by start date, then sequence number.
  private func collect(_ rows: ArraySlice<UInt32>, of shared: SharedRows) {
    entries.removeAll(keepingCapacity: true)
    let hasDeleted = shared.kind == .sample && !deleted.isEmpty
    for row in rows {
      if hasDeleted, deleted.contains(shared.sequence(row)) {
        dropped.append(shared.sequence(row))
        continue
      }
      let entry = Entry(start: shared.start(row), row: row)
      // Insertion sort: the rows are few and usually sorted.
      var position = entries.count
      entries.append(entry)
      while position > 0, entries[position - 1].start > entry.start {
        entries[position] = entries[position - 1]
        position -= 1
      }
      entries[position] = entry
    }
  }

  /// Writes the copied rows to the segment.
  func flush() throws {
    guard let last = runs.last?.key else { return }
    let block = Block(
      subject: last.series.subject, type: last.series.type, kind: last.kind, count: count,
      columns: copies.columns, symbols: state.symbols, pointers: copies.pointers, owner: copies)
    try writer.append(runs, block)
    runs.removeAll(keepingCapacity: true)
    (count, blobCount) = (0, 0)
  }
}
