/// Rewrites a run of adjacent segments into one.
struct Compactor {
  private let database: Database
  private let group: [Segment]
  private let dead: DeadSet
  private let deadThrough: UInt64
  private let controls: [Control]
  private let segments: [Segment]
  private let cutoff: Double
  /// The lowest place that a durable subscription was known to be at when the snapshot was taken,
  /// which is durable, too: a later one may be lost with power.
  private let needed: UInt64
  private var floor: UInt64
  /// Deleted samples left out.
  private(set) var dropped: [UInt64] = []
  /// Deletions left out.
  private(set) var forgotten = 0

  /// Prepares to rewrite a group without what a snapshot, which must be durable, has deleted.
  init(
    _ database: Database, _ group: [Segment], _ snapshot: Snapshot,
    _ controls: [[UInt8]: Control]
  ) {
    self.database = database
    self.group = group
    dead = snapshot.dead
    deadThrough = snapshot.end
    segments = snapshot.segments
    floor = snapshot.floor
    let first = group[0].header.first
    let last = group[group.count - 1].header.last
    let isOldest = segments.first === group[0]
    // A removed setting must hide its older values, which only the oldest segment has none of.
    self.controls = controls.values.filter {
      first <= $0.sequence && $0.sequence <= last && !(isOldest && $0.value.isEmpty)
    }
    cutoff = database.options.clock() - database.options.deletionRetention
    needed = Database.acknowledgements(in: controls).values.min() ?? .max
  }

  /// Writes the new segment; `step` is called with the number of rows read since the last call.
  mutating func run(_ step: (Int) throws -> Void) throws -> Segment {
    let keys = Set(
      group.flatMap { segment in
        segment.series.map { Series(key: SeriesKey(subject: $0.subject, type: $0.type), $0.kind) }
      })
    let forgettable = try database.forgetting.withLock { pending in
      let needed = min(needed, database.acknowledgements.values.min() ?? .max)
      let result = try deletionsToForget(keys, needed)
      pending = result.max() ?? 0
      return result
    }
    floor = max(floor, forgettable.max() ?? 0)
    forgotten = forgettable.count
    let header = SegmentHeader(
      storeID: database.storeID, epoch: database.epoch, first: group[0].header.first,
      last: group[group.count - 1].header.last,
      generation: (group.map(\.header.generation).max() ?? 0) + 1, floor: floor,
      deadThrough: deadThrough)
    var dropped: [UInt64] = []
    let segment = try database.writeSegment(header) { writer in
      for series in keys.sorted() {
        try merge(series, into: writer, forgettable, &dropped, step)
      }
      return controls
    }
    self.dropped = dropped
    return segment
  }

  private struct Series: Hashable, Comparable {
    var key: SeriesKey
    var kind: RowKind

    init(key: SeriesKey, _ kind: RowKind) {
      self.key = key
      self.kind = kind
    }

    static func < (left: Series, right: Series) -> Bool {
      left.kind == right.kind
        ? left.key < right.key : left.kind.rawValue < right.kind.rawValue
    }
  }

  /// Deletions older than the retention that no durable subscription needs and whose samples are
  /// in no file once this run is done.
  private func deletionsToForget(_ keys: Set<Series>, _ needed: UInt64) throws -> Set<UInt64> {
    var result: Set<UInt64> = []
    let first = group[0].header.first
    for segment in group {
      for series in segment.series where series.kind == .deletion {
        for index in series.blocks {
          let block = try segment.block(index, [.sequence, .target])
          for row in 0..<block.count where block.time[row] < cutoff {
            let sequence = block.sequence[row]
            let target = block.target[row]
            let isGone =
              target >= first
              || segments.last { $0.header.first <= target }
                .map { $0.header.deadThrough >= sequence } ?? false
            if isGone, sequence <= needed { result.insert(sequence) }
          }
        }
      }
    }
    return result
  }

  private func merge(
    _ series: Series, into writer: SegmentWriter, _ forgettable: Set<UInt64>,
    _ dropped: inout [UInt64], _ step: (Int) throws -> Void
  ) throws {
    var cursors = try group.compactMap { try Cursor($0, series.key, series.kind) }
    var rows = RowColumns()
    var read = 0
    while let next = cursors.indices.min(by: { cursors[$0] < cursors[$1] }) {
      let (block, row) = (cursors[next].block, cursors[next].row)
      let sequence = block.sequence[row]
      if series.kind == .deletion ? forgettable.contains(sequence) : dead.contains(sequence) {
        if series.kind == .sample { dropped.append(sequence) }
      } else {
        rows.append(block, row)
        if rows.isFull {
          try writer.add(
            subject: series.key.subject, type: series.key.type, kind: series.kind, rows: rows)
          rows.removeAll()
        }
      }
      if try !cursors[next].advance() { cursors.remove(at: next) }
      read += 1
      if read == Segment.maximumBlockRows {
        try step(read)
        read = 0
      }
    }
    if rows.count > 0 {
      try writer.add(
        subject: series.key.subject, type: series.key.type, kind: series.kind, rows: rows)
    }
    try step(read)
  }

  /// A place in one segment's rows of a series, which are in order of start.
  private struct Cursor: Comparable {
    private let segment: Segment
    private var blocks: Range<Int>
    private(set) var block: Block
    private(set) var row = 0

    init?(_ segment: Segment, _ key: SeriesKey, _ kind: RowKind) throws {
      let blocks = segment.blocks(subject: key.subject, type: key.type, kind: kind)
      guard let first = blocks.first else { return nil }
      self.segment = segment
      self.blocks = blocks.dropFirst()
      block = try segment.block(first, .all)
    }

    mutating func advance() throws -> Bool {
      row += 1
      if row < block.count { return true }
      guard let next = blocks.popFirst() else { return false }
      block = try segment.block(next, .all)
      row = 0
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
