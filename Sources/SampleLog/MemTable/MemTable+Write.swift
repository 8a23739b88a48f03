extension MemTable {
  /// Writes the live rows to a segment, series by series; `dropped` gets the others' numbers.
  func write(
    to writer: SegmentWriter, without dead: DeletionVector, dropped: inout [UInt64]
  ) throws {
    let keys = [RowKind.sample, .deletion].flatMap { kind in
      series(kind).map { BlockKey($0.key, kind) }
    }
    for key in keys.inSegmentOrder(symbols) {
      try SeriesSealer(memTable: self, key: key, dead: dead).write(to: writer, dropped: &dropped)
    }
  }
}

/// Writes the live rows of one series of a memtable to a segment, in order of start.
private struct SeriesSealer {
  let memTable: MemTable
  let key: BlockKey
  let dead: DeletionVector

  func write(to writer: SegmentWriter, dropped: inout [UInt64]) throws {
    let blocks = memTable.blocks(key.series, key.kind, through: .max).map(\.block)
    let entries = order(blocks, dropped: &dropped)
    var next = 0
    while next < entries.count {
      // Neighbours mostly stay neighbours, and a run is copied at once.
      let (block, first) = (entries[next].block, Int(entries[next].row))
      var length = 1
      while next + length < entries.count, entries[next + length].block == block,
        Int(entries[next + length].row) == first + length
      { length += 1 }
      next += length
      try writer.append(key, blocks[Int(block)], first..<first + length)
    }
  }

  private struct Entry {
    var start: Double
    var block: UInt32
    var row: UInt32
  }

  /// The live rows by start, then sequence number.
  ///
  /// Samples mostly arrive in order, so the few that do not are sorted and merged in.
  private func order(_ blocks: [Block], dropped: inout [UInt64]) -> [Entry] {
    var inOrder: [Entry] = []
    var late: [Entry] = []
    inOrder.reserveCapacity(blocks.reduce(0) { $0 + $1.count })
    var latest = -Double.infinity
    let hasDead = key.kind == .sample && !dead.isEmpty
    for (number, block) in blocks.enumerated() {
      for row in 0..<block.count {
        if hasDead, dead.contains(block.sequence[row]) {
          dropped.append(block.sequence[row])
          continue
        }
        let start = block.start[row]
        let entry = Entry(start: start, block: UInt32(number), row: UInt32(row))
        if start >= latest {
          latest = start
          inOrder.append(entry)
        } else {
          late.append(entry)
        }
      }
    }
    if late.isEmpty { return inOrder }
    func isBefore(_ left: Entry, _ right: Entry) -> Bool {
      left.start == right.start
        ? (left.block, left.row) < (right.block, right.row) : left.start < right.start
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
    return merged + late[next...]
  }
}
