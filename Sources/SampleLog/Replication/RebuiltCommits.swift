/// A builder of frames from a store's rows, equivalent to commits whose logs are gone.
///
/// Rows keep their sequence numbers. If a number has no row any more, because its sample was
/// deleted or its setting was replaced, an unused setting takes its place, since a log has no gaps.
/// Commit boundaries are lost, so the frames are valid only together.
private struct FrameRebuilder {
  private enum Phase: Int {
    case deletion, sample, setting
  }

  /// The key of the placeholder settings.
  private static let filler: [UInt8] = [0]
  private static let rowLimit = 1 << 16

  private let symbols: SymbolTable
  private let time: Double
  private var payload = CommitPayload()
  private var phase = Phase.deletion
  private var frameTime = 0.0
  private var first: UInt64
  private(set) var frames: [StoredFrame] = []

  init(first: UInt64, time: Double, _ symbols: SymbolTable) {
    self.first = first
    self.time = time
    frameTime = time
    self.symbols = symbols
  }

  mutating func add(_ row: Row) throws {
    if row.block.kind == .deletion {
      let time = row.block.time[row.row]
      try begin(.deletion, time)
      payload.deletions.append(row, of: row.subject, target: row.block.target[row.row])
    } else {
      try begin(.sample)
      payload.rows.append(row, of: row.subject, target: 0)
    }
  }

  mutating func add(_ setting: Setting?) throws {
    try begin(.setting)
    payload.settings.append((setting?.key ?? Self.filler, setting?.value ?? []))
  }

  /// Begins a frame unless the current one can take a record of the given phase and time.
  private mutating func begin(_ next: Phase, _ time: Double? = nil) throws {
    let isOtherTime = time.map { $0.bitPattern != frameTime.bitPattern } ?? false
    if payload.recordCount >= Self.rowLimit || next.rawValue < phase.rawValue || isOtherTime {
      try finish()
    }
    phase = next
    if let time { frameTime = time }
  }

  /// Ends the current frame.
  mutating func finish() throws {
    defer { (payload, phase, frameTime) = (CommitPayload(), .deletion, time) }
    guard payload.recordCount > 0 else { return }
    payload.rows.target = []
    let stored = StoredPayload(try payload.encoded(symbols: symbols))
    frames.append(
      StoredFrame(
        header: FrameHeader(
          storedLength: stored.bytes.count, rawLength: stored.rawLength, first: first,
          count: UInt32(payload.recordCount), durableThrough: 0, time: frameTime,
          payloadChecksum: stored.checksum, salt: 0),
        payload: stored.bytes))
    first += UInt64(payload.recordCount)
  }
}

extension Database {
  /// The maximum number of records to rebuild; all are held in memory, here and in the replicas.
  private static let rebuiltRecordLimit: UInt64 = 1 << 20

  /// Returns frames that are equivalent to all commits after a sequence number, rebuilt from rows.
  ///
  /// - Parameter last: The last sequence number of a replica, in the store's own epoch.
  /// - Returns: The frames and the history position after them, or nil if the store lacks data that
  ///   the replica needs: it may have discarded deletions, or removals of settings, after `last`.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  package func rebuiltCommits(
    after last: UInt64
  ) throws -> (frames: [StoredFrame], end: HistoryPosition)? {
    let (snapshot, settings, end) = try committer.exclusively {
      guard let writer = committer.writer else { throw StoreError.closed }
      try writer.sync()
      let (snapshot, settings) = state.withLock { ($0.snapshot, $0.settings.all) }
      return (
        snapshot, settings, HistoryPosition(last: snapshot.end, chain: writer.history)
      )
    }
    guard last < end.last, end.last - last <= Self.rebuiltRecordLimit, last >= epochFirst,
      last >= snapshot.floor, snapshot.remembersRemovals(after: last)
    else { return nil }
    var rebuilder = FrameRebuilder(first: last + 1, time: options.clock(), symbols)
    let rows = try snapshot.rows(after: last)
    let newer = settings.filter { last < $0.sequence && $0.sequence <= end.last }
      .sorted { $0.sequence < $1.sequence }
    var (nextRow, nextSetting) = (rows[...], newer[...])
    for sequence in last + 1...end.last {
      if nextRow.first?.sequence == sequence, let row = nextRow.popFirst() {
        try rebuilder.add(row)
      } else if nextSetting.first?.sequence == sequence {
        try rebuilder.add(nextSetting.popFirst())
      } else {
        try rebuilder.add(nil)
      }
    }
    try rebuilder.finish()
    return (rebuilder.frames, end)
  }
}

extension Snapshot {
  /// Returns whether all removals of settings after a sequence number are still recorded.
  ///
  /// Only merging into the oldest segment discards them.
  fileprivate func remembersRemovals(after last: UInt64) -> Bool {
    guard let oldest = segments.first else { return true }
    return oldest.header.last <= last || oldest.header.generation == 0
  }

  /// Returns the live samples and the deletions after a sequence number, in commit order.
  fileprivate func rows(after last: UInt64) throws -> [Row] {
    var rows: [Row] = []
    func visit(_ block: Block) {
      for row in 0..<block.count where block.sequence[row] > last && block.sequence[row] <= end {
        let isGone =
          block.kind == .sample
          ? deleted.contains(block.sequence[row]) : isErasedDeletion(block, row)
        if !isGone { rows.append(Row(block, row)) }
      }
    }
    for segment in segments where segment.header.last > last {
      for index in 0..<segment.blockCount where segment.zone(index).maxSequence > last {
        visit(try segment.block(index, .all))
      }
    }
    for memTable in memTables {
      for kind in [RowKind.sample, .deletion] {
        for series in memTable.series(kind) {
          for one in try memTable.blocks(series.key, kind, through: end) { visit(one.block) }
        }
      }
    }
    return rows.sorted { $0.sequence < $1.sequence }
  }
}
