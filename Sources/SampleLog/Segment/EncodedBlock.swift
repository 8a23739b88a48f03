/// The encoded columns of a block, read, verified and parsed, for random access to single rows.
///
/// Excludes identifiers that are not derived from sequence numbers.
final class EncodedBlock: @unchecked Sendable {
  // Stored inline and adjacent: the cost of a look-up is almost entirely cache misses.
  private let start: RandomAccessDoubles
  private let end: RandomAccessDoubles
  private let value: RandomAccessDoubles
  private let sequence: RandomAccessIntegers
  private let unit: RandomAccessIntegers
  private let source: RandomAccessIntegers
  private let device: RandomAccessIntegers
  private let extras: RandomAccessIntegers
  private let blobs: ExtrasColumn.Blobs?
  private let blobCount: Int
  private let firstSequence: UInt64
  private let lastSequence: UInt64
  let reader: BlockReader
  /// The identifiers, if they are derived from sequence numbers.
  private let derived: DerivedIdentifiers?
  /// The targets and deletion times, if the rows are deletions.
  private let target: RandomAccessIntegers?
  private let time: RandomAccessDoubles?
  /// The buffers of columns that had to be decompressed.
  private let decompressed: [RawMemory]

  /// Parses all columns except identifiers that are not derived from sequence numbers.
  init(_ reader: BlockReader) throws {
    self.reader = reader
    var decompressed: [RawMemory] = []
    func doubles(_ stored: StoredColumn, start: DoubleColumn? = nil) throws -> RandomAccessDoubles {
      let column = try reader.doubles(stored, forOneRow: true)
      decompressed += column.decompressed
      return try reader.column(stored) { _ throws(CodecError) in
        try RandomAccessDoubles(column, start: start)
      }
    }
    func integers(_ stored: StoredColumn) throws -> RandomAccessIntegers {
      let column = try reader.integers(stored, forOneRow: true)
      if let owner = column.owner { decompressed.append(owner) }
      return RandomAccessIntegers(column)
    }
    let starts = try reader.doubles(.start, forOneRow: true)
    decompressed += starts.decompressed
    start = try reader.column(.start) { _ throws(CodecError) in try RandomAccessDoubles(starts) }
    end = try doubles(.end, start: starts)
    value = try doubles(.value)
    unit = try integers(.unit)
    source = try integers(.source)
    device = try integers(.device)
    sequence = try integers(.sequence)
    let extras = try reader.extras(forOneRow: true)
    if let owner = extras.codes?.owner { decompressed.append(owner) }
    self.extras = extras.codes.map { RandomAccessIntegers($0) } ?? .zero
    blobs = try reader.column(.extras) { _ throws(CodecError) in try extras.allBlobs() }
    blobCount = extras.blobCount
    firstSequence = reader.segment.header.first
    lastSequence = reader.segment.header.last
    derived = reader.segment.isDerived(reader.block) ? try reader.derived() : nil
    let isDeletion = !reader.segment.isSample(reader.block)
    target = isDeletion ? try integers(.target) : nil
    time = isDeletion ? try doubles(.time) : nil
    self.decompressed = decompressed
  }

  var block: Int { reader.block }

  /// Returns the start date of a row.
  func start(ofRow row: Int) -> Double { start[row] }

  /// Returns the subrange of `rows`, which are sorted by start, that starts within bounds.
  func rows(_ rows: Range<Int>, startingIn bounds: Bounds) -> Range<Int> {
    let first = rows.partition { start[$0] < bounds.lower }
    return first..<(first..<rows.upperBound).partition { start[$0] <= bounds.upper }
  }

  /// The approximate memory use, in bytes.
  var byteCount: Int {
    let own = decompressed.reduce(0) { $0 + $1.count }
    return reader.byteCount + own + (blobs?.byteCount ?? 0) + 1536
  }

  /// Prefetches the memory that decoding any of some rows reads.
  func prefetch(_ rows: Range<Int>) {
    // Prefetch the parameters of all columns, nine cache lines, at once: following them one by one
    // would stall on each.
    let own = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    for line in 1...8 { SampleLog.prefetch(own + line &* 64) }
    start.prefetch(rows)
    end.prefetch(rows)
    value.prefetch(rows)
    sequence.prefetch(rows)
    unit.prefetch(rows)
    source.prefetch(rows)
    device.prefetch(rows)
    extras.prefetch(rows)
  }

  /// Decodes one row; `id` is its identifier if that was read separately.
  func decode(_ row: Int, _ set: ColumnSet, id: Identifier?) throws -> Block {
    let storage = ColumnStorage(capacity: 1, columns: set, blobCapacity: 1)
    try decode(row, set, into: storage)
    if let id {
      storage.pointers.id[0] = id
    } else if set.contains(.id), let derived {
      storage.pointers.id[0] = try identifier(row, try number(sequence[row]), derived)
      storage.setStreams(derived.shared)
    }
    return reader.finish(storage, rows: row..<row + 1)
  }

  private func decode(_ row: Int, _ set: ColumnSet, into storage: ColumnStorage) throws {
    DecodedValues.add(set.count)
    let out = storage.pointers
    if set.contains(.start) { out.start[0] = start[row] }
    if set.contains(.end) { out.end[0] = end.number(row, start: start) }
    if set.contains(.value) { out.value[0] = value[row] }
    if set.contains(.unit) { out.unit[0] = try symbol(unit[row], .unit) }
    if set.contains(.source) { out.source[0] = try symbol(source[row], .source) }
    if set.contains(.device) { out.device[0] = try symbol(device[row], .device) }
    if set.contains(.extras) {
      try put(extras[row], in: storage, at: 0)
      if out.extras[0] > 0, let blobs { storage.keep(blobs) }
    }
    if set.contains(.sequence) { out.sequence[0] = try number(sequence[row]) }
    if set.contains(.target), let target, let time {
      out.target[0] = firstSequence &+ UInt64(bitPattern: target[row])
      out.time[0] = time[row]
    }
  }

  /// Returns the identifier of a row, derived from its sequence number.
  private func identifier(
    _ row: Int, _ sequence: UInt64, _ derived: DerivedIdentifiers
  ) throws -> Identifier {
    try reader.column(.id) { _ throws(CodecError) in
      try derived.decode(row: row, sequence: sequence)
    }
  }

  /// Decodes the columns of a nonempty, ascending list of rows.
  ///
  /// Decodes identifiers only if they are derived from sequence numbers.
  func decode(_ rows: [Int32], _ set: ColumnSet, into storage: ColumnStorage) throws {
    DecodedValues.add(rows.count * set.count)
    let out = storage.pointers
    try withUnsafeTemporaryAllocation(of: Int64.self, capacity: rows.count * 2) { buffer in
      guard let scratch = buffer.baseAddress else { return }
      func doubles(_ column: RandomAccessDoubles, into out: UnsafeMutablePointer<Double>) {
        column.decode(rows, start: start, into: out, scratch: scratch)
      }
      func integers(_ column: RandomAccessIntegers, _ take: (Int, Int64) throws -> Void) rethrows {
        column.decode(rows, into: scratch)
        for position in rows.indices { try take(position, scratch[position]) }
      }
      if set.contains(.start) { doubles(start, into: out.start) }
      if set.contains(.end) { doubles(end, into: out.end) }
      if set.contains(.value) { doubles(value, into: out.value) }
      if set.contains(.unit) { try integers(unit) { out.unit[$0] = try symbol($1, .unit) } }
      if set.contains(.source) { try integers(source) { out.source[$0] = try symbol($1, .source) } }
      if set.contains(.device) { try integers(device) { out.device[$0] = try symbol($1, .device) } }
      if set.contains(.extras) {
        try integers(extras) { try put($1, in: storage, at: $0) }
        if let blobs { storage.keep(blobs) }
      }
      if set.contains(.sequence) { try integers(sequence) { out.sequence[$0] = try number($1) } }
      if set.contains(.id), let derived {
        try integers(sequence) { position, distance in
          out.id[position] = try identifier(
            Int(rows[position]), try number(distance), derived)
        }
        storage.setStreams(derived.shared)
      }
      if set.contains(.target), let target, let time {
        integers(target) { out.target[$0] = firstSequence &+ UInt64(bitPattern: $1) }
        doubles(time, into: out.time)
      }
    }
  }

  private func symbol(_ code: Int64, _ stored: StoredColumn) throws -> Symbol {
    try reader.symbol(code, stored)
  }

  private func number(_ distance: Int64) throws -> UInt64 {
    let number = firstSequence &+ UInt64(bitPattern: distance)
    guard number <= lastSequence else {
      throw reader.segment.damaged(
        block, StoredColumn.sequence.rawValue, "a sequence number outside of the segment")
    }
    return number
  }

  /// Stores the extras of a code at a position; the caller keeps the blobs alive.
  private func put(_ code: Int64, in storage: ColumnStorage, at position: Int) throws {
    let out = storage.pointers
    out.extras[position] = 0
    let code = try reader.column(.extras) { _ throws(CodecError) in
      try ExtrasColumn.check(code, blobCount: blobCount)
    }
    guard code > 0, let blobs else { return }
    (out.blobs + position).initialize(to: blobs[code - 1])
    out.extras[position] = UInt32(position + 1)
  }
}

extension DoubleColumn {
  /// The memory that the column was decompressed into.
  fileprivate var decompressed: [RawMemory] {
    switch form {
    case .planes(let memory): [memory]
    case .modelled(_, let integers), .afterStart(let integers): integers.owner.map { [$0] } ?? []
    case .raw, .sameAsStart: []
    }
  }
}
