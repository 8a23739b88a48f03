/// The rows of all series of a kind that have few, in the order of their sequence numbers.
///
/// With a chunk for each series, those of 10,000 people who each save a row now and then would take
/// much more memory than the rows and most of the time of a commit.
struct SharedRows {
  /// No row.
  static let none = UInt32.max

  let kind: RowKind
  private(set) var chunks: [MemTableChunk] = []
  /// For each row, the number of its series.
  private(set) var series: [UInt32] = []
  /// For each row, the one of its series before it.
  private var previous: [UInt32] = []
  /// For each row of a chunk, its subject.
  private var subjects: [RawMemory] = []

  init(kind: RowKind) { self.kind = kind }

  var count: Int { series.count }

  /// Appends copies of rows of a group whose first row has a sequence number, each with the number
  /// of its series.
  mutating func append(
    _ group: RowGroup, _ rows: UnsafeBufferPointer<Int32>, of all: inout [MemTableSeries],
    numbers: [UInt32], sequence: UInt64, time: Double, _ memory: inout ChunkMemory
  ) {
    var next = 0
    while next < rows.count {
      let chunk = chunks.withRoom(first: 16, kind, &memory)
      let end = min(next + chunk.storage.capacity - chunk.count, rows.count)
      let position = chunk.count
      chunk.append(
        group, UnsafeBufferPointer(rebasing: rows[next..<end]), kind, sequence: sequence,
        time: time)
      if subjects.count < chunks.count {
        subjects.append(RawMemory(MemTableChunk.maximumRows * MemoryLayout<Symbol>.stride))
      }
      let subject = self.subject(inChunk: chunks.count - 1)
      for (offset, row) in rows[next..<end].enumerated() {
        subject[position + offset] = group.subject[Int(row)]
        link(numbers[Int(row)], &all)
      }
      next = end
    }
  }

  /// Makes the row behind the last one known a series' last.
  @inline(__always)
  private mutating func link(_ number: UInt32, _ all: inout [MemTableSeries]) {
    let row = UInt32(series.count)
    series.append(number)
    all.withUnsafeMutableBufferPointer { all in
      let index = Int(number)
      previous.append(all[index].lastShared)
      all[index].lastShared = row
      all[index].count += 1
      let newest = all[index].newestShared
      if newest == Self.none || start(row) >= start(newest) { all[index].newestShared = row }
    }
  }

  private func subject(inChunk number: Int) -> UnsafeMutablePointer<Symbol> {
    subjects[number].base.assumingMemoryBound(to: Symbol.self)
  }

  @inline(__always)
  private func columns(_ row: UInt32) -> ColumnPointers {
    chunks[Int(row >> 12)].storage.pointers
  }

  @inline(__always)
  func start(_ row: UInt32) -> Double { columns(row).start[Int(row & 4095)] }

  @inline(__always)
  func sequence(_ row: UInt32) -> UInt64 { columns(row).sequence[Int(row & 4095)] }

  @inline(__always)
  func id(_ row: UInt32) -> Identifier { columns(row).id[Int(row & 4095)] }

  /// The rows of a series, after one sequence number through another.
  func rows(
    of series: MemTableSeries, after: UInt64 = 0, through end: UInt64 = .max
  ) -> [UInt32] {
    var result: [UInt32] = []
    var row = series.lastShared
    while row != Self.none, sequence(row) > after {
      if sequence(row) <= end { result.append(row) }
      row = previous[Int(row)]
    }
    result.reverse()
    return result
  }

  /// A row as a block.
  func block(_ row: UInt32, _ key: SeriesKey, _ symbols: SymbolTable) -> Block {
    let index = Int(row & 4095)
    return chunks[Int(row >> 12)].block(index..<index + 1, key, kind, symbols)
  }

  /// A chunk as a block of rows of one type, beside which are rows that are not of that type.
  func block(chunk number: Int, ofType type: Symbol, _ symbols: SymbolTable) -> Block {
    let chunk = chunks[number]
    return Block(
      subject: 0, subjects: UnsafePointer(subject(inChunk: number)), type: type, kind: kind,
      count: chunk.count, columns: chunk.storage.columns, symbols: symbols,
      pointers: chunk.storage.pointers,
      owner: Owner(storage: chunk.storage, subjects: subjects[number]))
  }

  /// Copies rows of one type to a block: those of a series, or of several.
  func gather(
    _ rows: ArraySlice<UInt32>, _ key: SeriesKey, isOfOneSubject: Bool, _ symbols: SymbolTable
  ) -> MemTableBlock {
    let columns = kind == .sample ? ColumnSet.all.subtracting(.target) : .all
    let storage = ColumnStorage(capacity: rows.count, columns: columns)
    let to = storage.pointers
    var zone = ZoneMap()
    var blobs = 0
    var kept = Self.none
    for (position, row) in rows.enumerated() {
      let before = blobs
      copyRow(row, to: to, position, &blobs)
      if blobs > before, kept != row >> 12 {
        kept = row >> 12
        storage.keep(chunks[Int(kept)].storage)
      }
      zone.include(
        start: to.start[position], end: to.end[position], sequence: to.sequence[position])
    }
    var subject: UnsafeMutablePointer<Symbol>?
    if !isOfOneSubject {
      let memory = RawMemory(rows.count * MemoryLayout<Symbol>.stride)
      storage.keep(memory)
      let column = memory.base.assumingMemoryBound(to: Symbol.self)
      for (position, row) in rows.enumerated() {
        column[position] = self.subject(inChunk: Int(row >> 12))[Int(row & 4095)]
      }
      subject = column
    }
    let block = Block(
      subject: key.subject, subjects: subject.map { UnsafePointer($0) }, type: key.type,
      kind: kind, count: rows.count, columns: columns, symbols: symbols, pointers: to,
      owner: storage)
    return MemTableBlock(block: block, zone: zone)
  }

  /// Copies a row to columns that have some blobs; the bytes of its own stay where they are.
  @inline(__always)
  func copyRow(_ row: UInt32, to: ColumnPointers, _ position: Int, _ blobs: inout Int) {
    let from = columns(row)
    let index = Int(row & 4095)
    to.copyRow(from, index, to: position, hasTargets: kind == .deletion)
    to.copyExtras(from, index, to: position, &blobs)
  }

  /// What a block needs.
  private final class Owner: Sendable {
    let storage: ColumnStorage
    let subjects: RawMemory

    init(storage: ColumnStorage, subjects: RawMemory) {
      self.storage = storage
      self.subjects = subjects
    }
  }
}
