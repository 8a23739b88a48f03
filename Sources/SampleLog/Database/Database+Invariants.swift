extension Database {
  /// Checks the invariants of an open database and every row.
  ///
  /// - Throws: ``BrokenInvariant``, and ``StoreError`` if a row cannot be read.
  package func checkInvariants() throws {
    let state = state.withLock { $0 }
    try state.checkInvariants()
    try state.snapshot.checkInvariants()
  }
}

extension DatabaseState {
  fileprivate func checkInvariants() throws {
    let isPublished =
      snapshot.floor == floor && snapshot.deleted.count == deleted.count
      && snapshot.segments.elementsEqual(segments) { $0 === $1 }
      && snapshot.memTables.elementsEqual(memTables) { $0 === $1 }
    try BrokenInvariant.check(isPublished, "the snapshot is not of the newest state")
    try BrokenInvariant.check(
      logs.count == memTables.count && closings.count == max(0, memTables.count - 1),
      "\(memTables.count) memtables, \(logs.count) logs, \(closings.count) of them closed")
    let late = settings.all.map(\.sequence).max() ?? 0
    try BrokenInvariant.check(
      late <= snapshot.end, "setting \(late) is behind the end \(snapshot.end)")
    let floors = segments.map(\.header.floor).max() ?? 0
    try BrokenInvariant.check(
      floors <= floor && floor <= snapshot.end,
      "the floor is \(floor), that of segments \(floors), the end \(snapshot.end)")
  }
}

extension Snapshot {
  /// Checks the order of segments and memtables, each of them, and the deletion vector.
  fileprivate func checkInvariants() throws {
    var next: UInt64 = 1
    for segment in segments {
      // A segment may end after the newest commit, because failed commits consume sequence numbers.
      try BrokenInvariant.check(
        segment.header.first >= next, "\(segment.name) begins before \(next)")
      next = segment.header.last + 1
      try segment.checkInvariants()
    }
    for memTable in memTables {
      try BrokenInvariant.check(
        memTable.first >= next, "a memtable begins with \(memTable.first), before \(next)")
      next = memTable.first
      try memTable.checkInvariants()
    }
    try deleted.checkInvariants()
    try checkDeletions()
  }

  /// Checks that a stored sample is in the deletion vector if and only if its deletion is stored or
  /// its subject was erased.
  ///
  /// Otherwise recovery would restore the sample.
  private func checkDeletions() throws {
    var samples: Set<UInt64> = []
    var targets: Set<UInt64> = []
    func visit(_ block: Block) throws {
      for row in 0..<block.count where block.sequence[row] <= end {
        let erased = erasures[block.subject(at: row)]?.sequence ?? 0
        if block.kind == .deletion {
          targets.insert(block.target[row])
        } else {
          if block.sequence[row] < erased { targets.insert(block.sequence[row]) }
          let isNew = samples.insert(block.sequence[row]).inserted
          try BrokenInvariant.check(isNew, "row \(block.sequence[row]) is there twice")
        }
      }
    }
    for segment in segments {
      for index in 0..<segment.blockCount {
        try visit(try segment.block(index, [.sequence, .target]))
      }
    }
    for memTable in memTables {
      for kind in [RowKind.sample, .deletion] {
        for series in memTable.series(kind) {
          for one in try memTable.blocks(series.key, kind, through: end) { try visit(one.block) }
        }
      }
    }
    for sequence in samples {
      try BrokenInvariant.check(
        deleted.contains(sequence) == targets.contains(sequence),
        "sample \(sequence) is \(deleted.contains(sequence) ? "" : "not ")deleted, its deletion "
          + (targets.contains(sequence) ? "is there" : "is not"))
    }
  }
}
