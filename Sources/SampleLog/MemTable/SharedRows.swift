/// The rows of all small series of a kind, in commit order.
///
/// Separate chunks for 10,000 subjects who each save an occasional row would take far more memory
/// than the rows, and most of the time of a commit.
struct SharedRows {
  /// The value that marks the absence of a row.
  static let none = UInt32.max

  let kind: RowKind
  private(set) var chunks: [MemTableChunk] = []
  /// The series number of each row.
  private(set) var series: [UInt32] = []
  /// The previous row of the same series, for each row.
  private var previous: [UInt32] = []
  /// The subject of each row, by chunk.
  private var subjects: [RawMemory] = []

  init(kind: RowKind) { self.kind = kind }

  var count: Int { series.count }

  /// Appends copies of rows of a group; `numbers` holds the series number of each.
  ///
  /// `sequence` is the sequence number of the group's first row.
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

  /// Links the next row into the list of its series.
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

  /// Returns the rows of a series with sequence numbers in `after + 1 ... end`, in commit order.
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

  /// Returns a row as a block, without copying it.
  func block(_ row: UInt32, _ key: SeriesKey, _ symbols: SymbolTable) -> Block {
    let index = Int(row & 4095)
    return chunks[Int(row >> 12)].block(index..<index + 1, key, kind, symbols)
  }

  /// Returns a chunk as a block of rows of one type; the caller must skip rows of other types.
  func block(chunk number: Int, ofType type: Symbol, _ symbols: SymbolTable) -> Block {
    let chunk = chunks[number]
    return Block(
      subject: 0, subjects: UnsafePointer(subject(inChunk: number)), type: type, kind: kind,
      count: chunk.count, columns: chunk.storage.columns, symbols: symbols,
      pointers: chunk.storage.pointers,
      owner: Owner(storage: chunk.storage, subjects: subjects[number]))
  }

  /// Copies rows of one type, of one or several series, to a block.
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

  /// Copies a row to columns with `blobs` blobs; the bytes of its own blob are shared.
  @inline(__always)
  func copyRow(_ row: UInt32, to: ColumnPointers, _ position: Int, _ blobs: inout Int) {
    let from = columns(row)
    let index = Int(row & 4095)
    to.copyRow(from, index, to: position, hasTargets: kind == .deletion)
    to.copyExtras(from, index, to: position, &blobs)
  }

  /// The owner of the memory that a block refers to.
  private final class Owner: Sendable {
    let storage: ColumnStorage
    let subjects: RawMemory

    init(storage: ColumnStorage, subjects: RawMemory) {
      self.storage = storage
      self.subjects = subjects
    }
  }
}
