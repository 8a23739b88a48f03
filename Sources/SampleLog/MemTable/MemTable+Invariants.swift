extension MemTable {
  /// Checks that every row is found by sequence number and identifier, and that zone maps match.
  package func checkInvariants() throws {
    try state.withLock { state in
      state.indexAll()
      try state.checkInvariants()
    }
  }
}

extension MemTableState {
  fileprivate func checkInvariants() throws(BrokenInvariant) {
    for (number, one) in series.enumerated() {
      try BrokenInvariant.check(
        self.number(one.key, one.kind) == number, "series \(number) is not found")
      if one.isShared {
        try checkShared(one)
      } else {
        try one.checkInvariants(symbols)
      }
    }
    try BrokenInvariant.check(
      rowCount == series.reduce(0) { $0 + Int($1.count) },
      "\(rowCount) rows are counted, the series have others")
    var found = 0
    for (offset, slot) in order.enumerated() {
      guard let location = slot.location else { continue }
      found += 1
      let sequence = first + UInt64(offset)
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
        known.map { reference($0).sequence } == sequence,
        "row \(sequence) is not found by its identifier")
    }
    try BrokenInvariant.check(found == rowCount, "\(found) of \(rowCount) rows have a number")
  }

  private func checkShared(_ one: MemTableSeries) throws(BrokenInvariant) {
    let shared = shared(one.kind)
    let rows = shared.rows(of: one)
    try BrokenInvariant.check(
      rows.count == Int(one.count) && rows.count <= MemTableSeries.maximumSharedRows,
      "\(rows.count) shared rows are counted as \(one.count)")
    try BrokenInvariant.check(
      rows.allSatisfy { series[Int(shared.series[Int($0)])].key == one.key },
      "a shared row is of another series")
    try BrokenInvariant.check(
      zip(rows, rows.dropFirst()).allSatisfy { shared.sequence($0) < shared.sequence($1) },
      "shared rows are not in the order of their numbers")
    try BrokenInvariant.check(
      rows.last == one.lastShared
        && rows.allSatisfy { shared.start($0) <= shared.start(one.newestShared) },
      "the latest of the shared rows is not known")
  }
}

extension MemTableSeries {
  fileprivate func checkInvariants(_ symbols: SymbolTable) throws(BrokenInvariant) {
    var rows = 0
    var last: UInt64 = 0
    for (number, chunk) in chunks.enumerated() {
      let block = block(chunk, through: .max, symbols)
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
