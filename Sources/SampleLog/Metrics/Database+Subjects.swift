private import Synchronization

/// Statistics about one subject.
public struct SubjectStatistics: Hashable, Sendable {
  /// The subject.
  public let name: Name
  /// The number of live samples.
  public internal(set) var sampleCount = 0
  /// The length of the subject's blocks in segments, in bytes, excluding directories and indexes.
  ///
  /// A block shared with other subjects is apportioned by row count. Data in logs is not included.
  public internal(set) var byteCount = 0
  /// The earliest start date of its samples, in seconds since 2001-01-01 00:00 UTC.
  public internal(set) var firstStart = Double.infinity
  /// The latest end date of its samples, in seconds since 2001-01-01 00:00 UTC.
  public internal(set) var lastEnd = -Double.infinity

  package var subject: Symbol { name.number }
}

extension Snapshot {
  /// Returns the subjects that have live samples, sorted by the bytes of their names.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  /// - Complexity: Linear in the number of blocks, on all processors. Blocks of a single subject
  ///   without deleted samples are not read; of other blocks only the dates and sequence numbers
  ///   are.
  public func subjects() throws -> [SubjectStatistics] {
    let blocks = segments.indices.flatMap { number in
      segments[number].series.groups.lazy.filter { $0.kind == .sample }
        .flatMap { group in group.blocks.map { (segment: number, block: $0, type: group.type) } }
    }
    let next = Atomic(0)
    let tables = try parallelMap(blocks.count < 64 ? 1 : processorCount) { thread in
      var table = SubjectTable(self)
      if thread == 0 { try table.addUnsealed() }
      while true {
        let begin = next.add(Self.blocksAtATime, ordering: .relaxed).oldValue
        if begin >= blocks.count { return table }
        for one in blocks[begin..<min(begin + Self.blocksAtATime, blocks.count)] {
          try table.add(segments[one.segment], one.block, one.type)
        }
      }
    }
    var all = tables[0]
    for table in tables.dropFirst() { for one in table.subjects { all.add(one) } }
    return all.subjects.filter { $0.sampleCount > 0 }
      .map { ($0, symbols.name($0.subject)) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// The number of blocks that a thread claims at a time.
  private static let blocksAtATime = 8
}

/// The statistics that one thread collects.
private struct SubjectTable: Sendable {
  private let snapshot: Snapshot
  private(set) var subjects: [SubjectStatistics] = []
  /// The index in `subjects`, plus one, of each symbol's entry.
  private var positions: [UInt32]

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    positions = [UInt32](repeating: 0, count: snapshot.symbols.count)
  }

  private mutating func position(of subject: Symbol) -> Int {
    // Symbols may be interned concurrently.
    if Int(subject) >= positions.count {
      positions += repeatElement(0, count: Int(subject) + 1 - positions.count)
    }
    if positions[Int(subject)] == 0 {
      subjects.append(SubjectStatistics(name: snapshot.symbols.name(of: subject)))
      positions[Int(subject)] = UInt32(subjects.count)
    }
    return Int(positions[Int(subject)]) - 1
  }

  mutating func add(_ other: SubjectStatistics) {
    let position = position(of: other.subject)
    subjects[position].byteCount += other.byteCount
    subjects[position].include(other.sampleCount, from: other.firstStart, to: other.lastEnd)
  }

  /// Adds a segment's block of samples.
  mutating func add(_ segment: Segment, _ index: Int, _ type: Symbol) throws {
    let zone = segment.zone(index)
    let byteCount = segment.directory.bytes(index).count
    var runs: [(position: Int, rows: Range<Int>)] = []
    segment.forEachSeries(inBlock: index, rows: 0..<zone.count) { number, rows in
      let position = position(of: segment.series.subject(number))
      subjects[position].byteCount += byteCount * rows.count / zone.count
      runs.append((position, rows))
    }
    // Child rows have the dates of their parents.
    if snapshot.symbols.isChildType(type) { return }
    let isAlive = !snapshot.deleted.mayIntersect(zone.minSequence, zone.maxSequence)
    if runs.count == 1, isAlive { return subjects[runs[0].position].include(zone) }
    let columns: ColumnSet = isAlive ? [.start, .end] : [.start, .end, .sequence]
    let block = try segment.block(index, columns, hasSubjects: false)
    for run in runs { include(block, run.rows, run.position, areAlive: isAlive) }
  }

  /// Adds the samples of the memtables.
  mutating func addUnsealed() throws {
    let keys = Set(snapshot.memTables.flatMap { $0.series(.sample).lazy.map(\.key) })
    for key in keys where !snapshot.symbols.isChildType(key.type) {
      let position = position(of: key.subject)
      for source in try snapshot.memTableSources(key, RowFilter(), number: 0) {
        let isAlive = source.relevant(snapshot.deleted) == nil
        guard !isAlive, case .memTable(let block) = source.location else {
          subjects[position].include(source.zone)
          continue
        }
        include(block, 0..<block.count, position, areAlive: false)
      }
    }
  }

  private mutating func include(
    _ block: Block, _ rows: Range<Int>, _ position: Int, areAlive: Bool
  ) {
    var (count, first, last) = (0, Double.infinity, -Double.infinity)
    for row in rows where areAlive || !snapshot.deleted.contains(block.sequence[row]) {
      count += 1
      first = min(first, block.start[row])
      last = max(last, block.end[row])
    }
    subjects[position].include(count, from: first, to: last)
  }
}

extension SubjectStatistics {
  fileprivate mutating func include(_ zone: ZoneMap) {
    include(zone.count, from: zone.minStart, to: zone.maxEnd)
  }

  fileprivate mutating func include(_ count: Int, from start: Double, to end: Double) {
    sampleCount += count
    firstStart = min(firstStart, start)
    lastEnd = max(lastEnd, end)
  }
}
