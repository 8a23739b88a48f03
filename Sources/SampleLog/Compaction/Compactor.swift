/// The compaction of a group of adjacent segments into one.
struct Compactor {
  private let database: Database
  private let group: [Segment]
  private let deleted: DeletionVector
  private let deletedThrough: UInt64
  private var settings: [Setting]
  private let segments: [Segment]
  private let cutoff: Double
  private let snapshot: Snapshot
  /// The settings as of the snapshot; all are durable, whereas later ones could be lost in a power
  /// failure.
  private let durableSettings: [Setting]
  private var floor: UInt64
  /// The deleted samples that the new segment omits.
  private(set) var dropped: [UInt64] = []
  /// The number of deletions that the new segment omits.
  private(set) var forgotten = 0
  /// The erasures that the new segment omits.
  private(set) var forgottenErasures: [Setting] = []

  /// Prepares to rewrite a group without the samples deleted in a snapshot, which must be durable.
  init(
    _ database: Database, _ group: [Segment], _ snapshot: Snapshot,
    _ settings: [Setting]
  ) {
    self.database = database
    self.group = group
    deleted = snapshot.deleted
    deletedThrough = snapshot.end
    segments = snapshot.segments
    floor = snapshot.floor
    let first = group[0].header.first
    let last = group[group.count - 1].header.last
    let isOldest = segments.first === group[0]
    // An empty value hides older values of a removed setting; the oldest segment has none to hide.
    self.settings = settings.filter {
      first <= $0.sequence && $0.sequence <= last && !(isOldest && $0.value.isEmpty)
    }
    cutoff = database.options.clock() - database.options.deletionRetention.seconds
    self.snapshot = snapshot
    durableSettings = settings
  }

  /// Writes the new segment; calls `step` with the number of rows read since the last call.
  mutating func run(_ step: (Int) throws -> Void) throws -> Segment {
    let keys = Set(group.flatMap(\.series.keys))
    let (forgettable, erasures) = try database.forgetting.withLock { pending in
      let result = (try deletionsToForget(), erasuresToForget())
      pending = max(result.0.max() ?? 0, result.1.map(\.sequence).max() ?? 0)
      floor = max(floor, pending)
      return result
    }
    forgotten = forgettable.count
    forgottenErasures = erasures
    settings.removeAll(where: erasures.contains)
    let header = SegmentHeader(
      storeID: database.storeID, epoch: database.epoch, first: group[0].header.first,
      last: group[group.count - 1].header.last,
      generation: database.state.withLock { $0.nextGeneration(after: group) }, floor: floor,
      deletedThrough: deletedThrough)
    var dropped: [UInt64] = []
    let expected = group.reduce(0) { $0 + $1.sampleCount }
    let segment = try database.writeSegment(header, expecting: expected) { writer in
      var readers = group.map(LastBlock.init)
      for key in keys.inSegmentOrder(database.symbols) {
        try merge(key, &readers, into: writer, forgettable, &dropped, step)
      }
      return settings
    }
    self.dropped = dropped
    return segment
  }

  /// The retention needs of readers as of the snapshot and as of now.
  private var needs: DeletionNeeds {
    let (now, settings) = database.state.withLock { ($0.snapshot, $0.settings.all) }
    var needs = DeletionNeeds(settings, now, database.options)
    needs.formUnion(DeletionNeeds(durableSettings, snapshot, database.options))
    return needs
  }

  /// Returns the deletions to discard: past the retention, needed by no reader, and with samples
  /// that no file contains once this run is done.
  private func deletionsToForget() throws -> Set<UInt64> {
    var deletions: [(sequence: UInt64, target: UInt64, time: Double)] = []
    for segment in group {
      for index in 0..<segment.blockCount where !segment.isSample(index) {
        let block = try segment.block(index, [.sequence, .target])
        for row in 0..<block.count {
          deletions.append((block.sequence[row], block.target[row], block.time[row]))
        }
      }
    }
    deletions.sort { $0.sequence > $1.sequence }
    var result: Set<UInt64> = []
    // Caps each deletion's time at those of later deletions, in case a clock was temporarily ahead.
    var time = Double.infinity
    // Computed on demand: usually no deletion is past the retention.
    var needs: DeletionNeeds?
    var isHeld = false
    for deletion in deletions {
      time = min(deletion.time.isNaN ? time : deletion.time, time)
      guard time < cutoff else { continue }
      let known = needs ?? self.needs
      needs = known
      isHeld = isHeld || known.isOfSubscription(deletion.sequence)
      if !known.contains(deletion.sequence, time), isGone(deletion.target, deletion.sequence),
        mayForget(deletion.sequence)
      {
        result.insert(deletion.sequence)
      }
    }
    if isHeld { database.reportStalledSubscription() }
    return result
  }

  /// Returns whether no file contains a deleted sample once this run is done.
  private func isGone(_ target: UInt64, _ sequence: UInt64) -> Bool {
    if target >= group[0].header.first { return true }
    return segments.last { $0.header.first <= target }
      .map { $0.header.deletedThrough >= sequence } ?? false
  }

  /// Returns whether the primary has discarded the record as well, if the store is a replica.
  private func mayForget(_ sequence: UInt64) -> Bool {
    guard database.options.primaryName != nil else { return true }
    return sequence <= database.replication.withLock { $0.primaryFloor }
  }

  /// Returns the erasures to discard: past the retention, needed by no reader, and of subjects
  /// whose rows no file contains once this run is done.
  private func erasuresToForget() -> [Setting] {
    let old = settings.filter { setting in
      Erasure(setting, snapshot.symbols).map { $0.time < cutoff } ?? false
    }
    if old.isEmpty { return [] }
    let needs = needs
    return old.filter { setting in
      guard let erasure = Erasure(setting, snapshot.symbols),
        !needs.contains(erasure.sequence, erasure.time), mayForget(erasure.sequence)
      else { return false }
      // Logs are sealed in order, so all logs before that of the erasure are segments.
      return segments.allSatisfy { segment in
        segment.header.first > erasure.sequence || segment.header.deletedThrough >= erasure.sequence
          || group.contains { $0 === segment }
      }
    }
  }

  private func merge(
    _ key: BlockKey, _ readers: inout [LastBlock], into writer: SegmentWriter,
    _ forgettable: Set<UInt64>, _ dropped: inout [UInt64], _ step: (Int) throws -> Void
  ) throws {
    var cursors: [Cursor] = []
    for index in readers.indices {
      if let cursor = try Cursor(&readers[index], index, key) { cursors.append(cursor) }
    }
    let erased = snapshot.erasures[key.series.subject]?.sequence ?? 0
    var read = 0
    while let next = cursors.indices.min(by: { cursors[$0] < cursors[$1] }) {
      var run = cursors[next].rest
      for other in cursors.indices where other != next {
        run = cursors[next].prefix(of: run, before: cursors[other])
      }
      let block = cursors[next].block
      let mayGo =
        key.kind == .deletion
        ? erased > 0 || !forgettable.isEmpty
        : deleted.mayIntersect(cursors[next].first, cursors[next].last)
      let gone =
        key.kind == .deletion ? { $0 < erased || forgettable.contains($0) } : deleted.contains
      var rest = run
      while let row = rest.first {
        if mayGo, gone(block.sequence[row]) {
          if key.kind == .sample { dropped.append(block.sequence[row]) }
          rest = row + 1..<rest.upperBound
          continue
        }
        let end = mayGo ? rest.first { gone(block.sequence[$0]) } : nil
        try writer.append(key, block, row..<(end ?? rest.upperBound))
        rest = (end ?? rest.upperBound)..<rest.upperBound
      }
      let reader = cursors[next].reader
      if try !cursors[next].advance(to: run.upperBound, &readers[reader]) {
        cursors.remove(at: next)
      }
      read += run.count
      if read >= Block.maximumRows {
        try step(read)
        read = 0
      }
    }
    try step(read)
  }

  /// A reader of a segment that caches the last block, which adjacent series may share.
  private struct LastBlock {
    let segment: Segment
    private var last: (index: Int, block: Block)?

    init(_ segment: Segment) { self.segment = segment }

    mutating func block(_ index: Int) throws -> Block {
      if let last, last.index == index { return last.block }
      last = nil
      let block = try segment.block(index, .all)
      last = (index, block)
      return block
    }
  }

  /// A position within the rows of a series in one segment, which are sorted by start date.
  private struct Cursor: Comparable {
    private let segment: Segment
    private let series: SegmentSeries
    private var blocks: Range<Int>
    /// The index of the segment in the group.
    let reader: Int
    private(set) var block: Block
    private(set) var row: Int
    private var end: Int

    init?(_ reader: inout LastBlock, _ number: Int, _ key: BlockKey) throws {
      guard let series = reader.segment.series(key.series, key.kind) else { return nil }
      segment = reader.segment
      self.series = series
      self.reader = number
      let first = series.blocks.lowerBound
      blocks = series.blocks.dropFirst()
      block = try reader.block(first)
      let rows = segment.rows(of: series, inBlock: first)
      (row, end) = (rows.lowerBound, rows.upperBound)
    }

    /// The remaining rows of the block.
    var rest: Range<Int> { row..<end }
    /// The range of sequence numbers that the segment covers.
    var first: UInt64 { segment.header.first }
    var last: UInt64 { segment.header.last }

    /// Returns the prefix of `rows` that precedes another cursor's row; includes at least the
    /// first.
    func prefix(of rows: Range<Int>, before other: Cursor) -> Range<Int> {
      var probe = self
      let end = (rows.lowerBound + 1..<rows.upperBound).partition {
        probe.row = $0
        return probe < other
      }
      return rows.lowerBound..<end
    }

    mutating func advance(to next: Int, _ reader: inout LastBlock) throws -> Bool {
      row = next
      if row < end { return true }
      guard let next = blocks.popFirst() else { return false }
      block = try reader.block(next)
      let rows = segment.rows(of: series, inBlock: next)
      (row, end) = (rows.lowerBound, rows.upperBound)
      return true
    }

    static func == (left: Cursor, right: Cursor) -> Bool {
      left.block === right.block && left.row == right.row
    }

    static func < (left: Cursor, right: Cursor) -> Bool {
      let (a, b) = (left.block.start[left.row], right.block.start[right.row])
      return a == b ? left.block.sequence[left.row] < right.block.sequence[right.row] : a < b
    }
  }
}
