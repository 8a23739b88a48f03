/// A sequential writer of one segment file.
///
/// The series of one type and kind are adjacent, sorted by subject name, and share blocks.
///
/// Not thread-safe. The file is complete after ``finish(settings:)``; the caller syncs and renames
/// it.
package final class SegmentWriter {
  private let file: any File
  private let header: SegmentHeader
  private let table: SymbolTable
  private let hash: KeyHash
  private let integers: IntegerEncoder
  private let doubles: DoubleEncoder
  private let scratch: UnsafeMutablePointer<Int64>

  private var buffer = ByteWriter(reserving: SegmentWriter.chunk + 512 * 1024)
  private var written = 0
  private var directory = ByteWriter()
  /// The subject of each series.
  private var subjects: [Symbol] = []
  /// The groups begun so far; the subject of each key is 0.
  private var known: Set<BlockKey> = []
  private var current: BlockKey?
  private var currentName: [UInt8] = []
  /// The start date of the last row written.
  private var lastStart = 0.0
  private var pending: PendingRows
  /// The runs of the block that is being written.
  private var runs: [PendingRows.Run] = []
  private var localCodes: [UInt32] = [0]
  private var localSymbols: [Symbol] = [0]
  private(set) var keys: KeyIndexBuilder
  private var syncKeys: [UInt64] = []
  private var syncRows: [UInt32] = []
  private var samples = 0
  private var deletions = 0

  private static let chunk = 1 << 20

  /// Begins a segment.
  ///
  /// `expected` is an estimate of the sample count; it sizes the key index. Blocks that the writer
  /// fills from appended rows have up to `blockRowCount` rows.
  package init(
    file: any File, header: SegmentHeader, symbols: SymbolTable, expecting expected: Int = 0,
    blockRowCount: Int = Block.maximumRows
  ) throws {
    self.file = file
    self.header = header
    table = symbols
    hash = KeyHash(header.storeID)
    keys = KeyIndexBuilder(expecting: expected)
    integers = IntegerEncoder(capacity: Block.maximumRows)
    doubles = DoubleEncoder(capacity: Block.maximumRows, integers: integers)
    scratch = .allocate(capacity: Block.maximumRows)
    pending = PendingRows(limit: blockRowCount)
    buffer.append(header.encoded)
  }

  deinit { scratch.deallocate() }

  private var position: Int { written + buffer.count }

  /// Appends copies of rows of a decoded block to a series, sorted by start, then sequence number.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the rows or the series are out of order.
  package func append(_ key: BlockKey, _ block: Block, _ rows: Range<Int>) throws {
    if rows.isEmpty { return }
    try begin(key)
    var rest = rows
    while !rest.isEmpty {
      let isFull: Bool
      (rest, isFull) = pending.append(block, rest)
      if isFull { try cut() }
    }
  }

  /// Appends copies of the rows of a decoded block to several series of one type, each sorted by
  /// start, then sequence number.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the rows or the series are out of order.
  package func append(_ runs: [(key: BlockKey, rows: Range<Int>)], _ block: Block) throws {
    // Rows before `copied` are pending; rows from `counted` on are not yet assigned to a series.
    var copied = 0
    var counted = 0
    for run in runs {
      try begin(run.key)
      while counted < run.rows.upperBound {
        if counted == copied {
          copied = pending.copy(block, counted..<block.count).lowerBound
        }
        let end = min(run.rows.upperBound, copied)
        let behind = pending.rows.count - copied
        pending.count(counted + behind..<end + behind)
        counted = end
        if counted == copied, pending.rows.isFull { try cut() }
      }
    }
  }

  /// Adds a block of rows of one series, sorted by start, then sequence number.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the rows or the series are out of order.
  package func add(_ key: BlockKey, _ rows: RowColumns) throws {
    guard rows.count > 0, rows.count <= Block.maximumRows else {
      throw StoreError.invalid("A block has 1 to \(Block.maximumRows) rows.")
    }
    try begin(key)
    try cut()
    pending.count(0..<rows.count)
    try write(rows)
    pending.removeAll()
  }

  /// Continues the last series or begins a new one.
  private func begin(_ key: BlockKey) throws {
    if current == key { return }
    let name = table.name(key.series.subject)
    if let current, current.kind == key.kind, current.series.type == key.series.type {
      guard currentName.precedes(name) else {
        throw StoreError.invalid("The series of one type come in the order of subjects.")
      }
    } else {
      try cut()
      let group = BlockKey(SeriesKey(subject: 0, type: key.series.type), key.kind)
      guard known.insert(group).inserted else {
        throw StoreError.invalid("The series of one type come one after another.")
      }
      _ = local(key.series.type)
      pending.series.begin(key.series.type, key.kind)
    }
    (current, currentName) = (key, name)
    subjects.append(key.series.subject)
    pending.series.add(position: 0, rows: 0)
  }

  /// Writes the pending rows, if any, as a block.
  private func cut() throws {
    if pending.rows.count == 0 { return }
    try write(pending.rows)
    pending.removeAll()
  }

  private func write(_ rows: RowColumns) throws {
    runs = pending.runs(of: rows.count)
    guard let kind = current?.kind, let first = runs.first else { return }
    try check(rows, kind)
    let count = rows.count
    let firstRow = samples + deletions
    pending.series.closeGroup()
    pending.series.add(blocks: 1)
    lastStart = rows.start[count - 1]

    let offset = position
    var lengths = [UInt32](repeating: 0, count: StoredColumn.count)
    var checksums = lengths
    for column in StoredColumn.allCases {
      let begin = buffer.count
      encode(column, rows, kind, firstRow: firstRow)
      lengths[column.rawValue] = UInt32(buffer.count - begin)
      checksums[column.rawValue] = buffer.bytes.withUnsafeBytes {
        checksum(UnsafeRawBufferPointer(rebasing: $0[begin...]))
      }
    }
    directory.fixed(UInt64(offset))
    directory.fixed(UInt32(count))
    directory.fixed(UInt32(firstRow))
    for length in lengths { directory.fixed(length) }
    for checksum in checksums { directory.fixed(checksum) }
    write(ZoneMap(rows), rows)
    directory.fixed(UInt32(first.series))
    let idOffset = buffer.count - Int(lengths[StoredColumn.id.rawValue])
    directory.fixed(UInt32(buffer.bytes[idOffset]))

    if kind == .sample {
      samples += count
      keys.add(rows.id, hash, firstRow: firstRow)
    } else {
      deletions += count
    }
    if buffer.count >= SegmentWriter.chunk { try flush() }
  }

  private func check(_ rows: RowColumns, _ kind: RowKind) throws {
    let count = rows.count
    guard samples + deletions + count <= Segment.maximumRows else {
      throw StoreError.invalid("A segment has at most \(Segment.maximumRows) rows.")
    }
    let isDeletion = kind == .deletion
    guard
      [
        rows.id.count, rows.start.count, rows.end.count, rows.value.count, rows.unit.count,
        rows.source.count, rows.device.count, rows.extras.count,
      ].allSatisfy({ $0 == count }),
      !isDeletion || (rows.target.count == count && rows.time.count == count)
    else { throw StoreError.invalid("The columns of a block have the same number of rows.") }
    for run in runs {
      if run.isContinued, rows.start[run.rows.lowerBound] < lastStart {
        throw StoreError.invalid("The blocks of a series are in start order.")
      }
      var row = run.rows.lowerBound
      while row + 1 < run.rows.upperBound {
        row += 1
        let before = rows.start[row - 1]
        let start = rows.start[row]
        guard !(start < before), start != before || rows.sequence[row - 1] <= rows.sequence[row]
        else { throw StoreError.invalid("The rows of a series are sorted by start and sequence.") }
      }
    }
    for row in 0..<count {
      guard rows.sequence[row] >= header.first, rows.sequence[row] <= header.last else {
        throw StoreError.invalid("A row's sequence number is in the range of its segment.")
      }
      guard rows.extras[row] <= rows.blobs.count else {
        throw StoreError.invalid("A row's extras are among the blobs of its block.")
      }
    }
  }

  private func local(_ symbol: Symbol) -> UInt32 {
    let index = Int(symbol)
    if index >= localCodes.count {
      let missing = index + 1 - localCodes.count
      localCodes.append(contentsOf: repeatElement(.max, count: missing))
    }
    if localCodes[index] == .max {
      localCodes[index] = UInt32(localSymbols.count)
      localSymbols.append(symbol)
    }
    return localCodes[index]
  }

  private func encode(
    _ column: StoredColumn, _ rows: RowColumns, _ kind: RowKind, firstRow: Int
  ) {
    let count = rows.count
    switch column {
    case .start: doubles.encodeStarts(rows.start, count: count, into: &buffer)
    case .end: doubles.encodeEnds(rows.end, starts: rows.start, count: count, into: &buffer)
    case .value: doubles.encodeValues(rows.value, count: count, into: &buffer)
    case .unit: encode(rows.unit)
    case .source: encode(rows.source)
    case .device: encode(rows.device)
    case .extras: encodeExtras(rows, kind, firstRow: firstRow)
    case .sequence: encode(rows.sequence)
    case .target: if kind == .deletion { encode(rows.target) }
    case .time:
      if kind == .deletion { doubles.encodeDates(rows.time, count: count, into: &buffer) }
    case .id: encodeIdentifiers(rows)
    }
  }

  private func encodeIdentifiers(_ rows: RowColumns) {
    let streams = table.streams
    let isDerived = DerivedIdentifiers.encode(
      rows.id, sequences: rows.sequence, count: rows.count,
      limit: IdentifierCodec.byteCount(of: rows.id, count: rows.count),
      known: { streams[$0] ?? IdentifierStreams.ofThisProcess[$0] }, integers: integers,
      into: &buffer)
    if !isDerived { IdentifierCodec.encode(rows.id, count: rows.count, into: &buffer) }
  }

  private func encode(_ symbols: [Symbol]) {
    var previous: Symbol = 0
    var code: Int64 = 0
    for row in 0..<symbols.count {
      if symbols[row] != previous {
        previous = symbols[row]
        code = Int64(local(previous))
      }
      scratch[row] = code
    }
    integers.encode(scratch, count: symbols.count, into: &buffer)
  }

  /// Encodes sequence numbers as distances from the first of the segment.
  private func encode(_ sequences: [UInt64]) {
    for row in 0..<sequences.count {
      scratch[row] = Int64(bitPattern: sequences[row] &- header.first)
    }
    integers.encode(scratch, count: sequences.count, into: &buffer)
  }

  private func encodeExtras(_ rows: RowColumns, _ kind: RowKind, firstRow: Int) {
    var codes = [Int64](repeating: 0, count: rows.blobs.count + 1)
    var identifiers: [[UInt8]] = [[]]
    var hasIdentifiers = false
    var used: [[UInt8]] = []
    for run in runs {
      for row in run.rows {
        let number = Int(rows.extras[row])
        // An empty blob is stored as no extras.
        if number > 0, codes[number] == 0, !rows.blobs[number - 1].isEmpty {
          let blob = rows.blobs[number - 1]
          used.append(blob)
          codes[number] = Int64(used.count)
          let identifier = kind == .sample ? Self.syncIdentifier(of: blob) : []
          identifiers.append(identifier)
          hasIdentifiers = hasIdentifiers || !identifier.isEmpty
        }
        scratch[row] = codes[number]
        // Avoids reference counting in every row.
        guard hasIdentifiers else { continue }
        let identifier = identifiers[Int(codes[number])]
        if identifier.isEmpty { continue }
        syncKeys.append(
          syncKey(
            subject: table.name(subjects[run.series]), type: typeName, syncIdentifier: identifier))
        syncRows.append(UInt32(firstRow + row))
      }
    }
    ExtrasCodec.encode(scratch, count: rows.count, blobs: used, integers: integers, into: &buffer)
  }

  private var typeName: [UInt8] { table.name(current?.series.type ?? 0) }

  private static func syncIdentifier(of blob: [UInt8]) -> [UInt8] {
    blob.withUnsafeBytes { Extras($0) }?.syncIdentifier ?? []
  }

  private func write(_ zone: ZoneMap, _ rows: RowColumns) {
    directory.fixed(zone.minSequence)
    directory.fixed(zone.maxSequence)
    for number in zone.numbers { directory.fixed(number) }
    directory.fixed(zone.unit.map(local) ?? DirectoryEntry.mixed)
    directory.fixed(zone.source.map(local) ?? DirectoryEntry.mixed)
  }

  private func flush() throws {
    try buffer.bytes.withUnsafeBytes { try file.write($0, at: written) }
    written += buffer.count
    buffer.bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the directory, indexes and footer; does not sync.
  ///
  /// - Returns: The length of the file, in bytes.
  package func finish(settings: [Setting]) throws -> Int {
    try cut()
    let subjectNames = orderSubjects()
    // In commit order, so that equal stores produce identical bytes.
    let settings = settings.sorted { $0.sequence < $1.sequence }
    var footer = SegmentFooter()
    footer.samples = samples
    footer.deletions = deletions
    footer.blocks = directory.count / DirectoryEntry.length
    footer.series = subjects.count
    // All regions are encoded before any is written: the backup footer holds the extents of those
    // that follow it.
    let regions = Region.allCases.map { (region: $0, bytes: encode($0, settings, subjectNames)) }
    var end = position
    for (region, bytes) in regions {
      if region == Region.firstAfterBackupHeader { end += BackupHeader.length }
      footer.regions.append(.init(offset: end, length: bytes.count, checksum: checksum(bytes)))
      end += bytes.count
    }
    let foot = footer.encoded(at: end)
    for (region, bytes) in regions {
      if region == Region.firstAfterBackupHeader { buffer.append(header.encoded + foot) }
      buffer.append(bytes)
      if buffer.count >= SegmentWriter.chunk { try flush() }
    }
    buffer.append(foot)
    try flush()
    return written
  }

  /// Numbers the subjects in the order of their names, and returns the sorted names.
  private func orderSubjects() -> [[UInt8]] {
    let ranks = table.ranks()
    let ordered = Set(subjects).sorted { ranks[Int($0)] < ranks[Int($1)] }
    let positions = Dictionary(
      uniqueKeysWithValues: ordered.enumerated().map { ($1, UInt32($0)) })
    pending.series.positions = subjects.map { positions[$0] ?? 0 }
    return table.names(ordered)
  }

  private func encode(
    _ region: Region, _ settings: [Setting], _ subjectNames: [[UInt8]]
  ) -> [UInt8] {
    switch region {
    case .symbols:
      return SegmentNames.encode(symbols: localSymbols.map(table.name), subjects: subjectNames)
    case .series: return SeriesTable.encode(pending.series, type: local, integers: integers)
    case .directory: return directory.bytes
    case .settings: return Setting.encode(settings)
    case .keys:
      if samples == 0 { return [] }
      return KeyIndex.build(keys, segmentRows: samples + deletions).encoded
    case .syncKeys: return SyncKeyIndex.encode(keys: syncKeys, rows: syncRows)
    }
  }
}
