extension MemTable {
  /// Checks that every row is found by sequence number and identifier, and its block's zone map.
  package func checkInvariants() throws {
    try state.withLock { try $0.checkInvariants() }
  }
}

extension MemTableState {
  fileprivate func checkInvariants() throws(BrokenInvariant) {
    for (number, one) in series.enumerated() {
      try BrokenInvariant.check(
        numbers[BlockKey(one.key, one.kind)] == number, "series \(number) is not found")
      try one.checkInvariants(symbols)
    }
    try BrokenInvariant.check(
      numbers.count == series.count && rowCount == series.reduce(0) { $0 + $1.count },
      "\(rowCount) rows of \(numbers.count) series are counted, there are \(series.count) series")
    var found = 0
    for (offset, slot) in order.enumerated() {
      guard let location = slot.location else { continue }
      found += 1
      let sequence = first + UInt64(offset)
      try BrokenInvariant.check(
        location.series < series.count && location.row < series[location.series].count,
        "row \(sequence) is nowhere")
      let row = reference(location)
      try BrokenInvariant.check(
        row.sequence == sequence, "row \(row.sequence) is where \(sequence) should be")
      guard row.block.kind == .sample else {
        let target = row.block.target[row.row]
        try BrokenInvariant.check(target < sequence, "\(sequence) deletes \(target)")
        continue
      }
      let known = find(row.id) { $0 == sequence }
      try BrokenInvariant.check(
        known?.series == location.series && known?.row == location.row,
        "row \(sequence) is not found by its identifier")
    }
    try BrokenInvariant.check(found == rowCount, "\(found) of \(rowCount) rows have a number")
  }
}

extension MemTableSeries {
  fileprivate func checkInvariants(_ symbols: SymbolTable) throws(BrokenInvariant) {
    var rows = 0
    var last: UInt64 = 0
    for (number, chunk) in chunks.enumerated() {
      let block = block(number, through: .max, symbols: symbols)
      var zone = ZoneMap()
      for row in 0..<block.count {
        try BrokenInvariant.check(
          block.sequence[row] > last, "row \(block.sequence[row]) is behind \(last)")
        last = block.sequence[row]
        zone.include(start: block.start[row], end: block.end[row], sequence: last)
      }
      rows += block.count
      try BrokenInvariant.check(
        block.count == chunk.count && zone.matches(chunk.zone)
          && zone.isSorted == chunk.zone.isSorted,
        "the zone map of chunk \(number) does not match")
      try BrokenInvariant.check(
        number == chunks.count - 1 || chunk.count == MemTableChunk.maximumRows,
        "chunk \(number) has room")
    }
    try BrokenInvariant.check(rows == count, "\(rows) rows are counted as \(count)")
  }
}
