import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// Files with valid checksums and invalid numbers.
@Suite final class HostileFileTests {
  private let fileSystem = MemoryFileSystem()
  private let storeID = Identifier(high: 1, low: 2)

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    fileSystem.createDirectory("store")
    let file = try fileSystem.open("store/" + name, .create)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
  }

  private func frame(
    _ payload: CommitPayload, first: UInt64, symbols: SymbolTable
  ) throws -> [UInt8] {
    let stored = StoredPayload(try payload.encoded(symbols: symbols))
    let header = FrameHeader(
      storedLength: stored.bytes.count, rawLength: stored.rawLength, first: first,
      count: UInt32(payload.recordCount), durableThrough: first - 1, time: 0,
      payloadChecksum: stored.checksum, salt: 3)
    var bytes = header.encoded + stored.bytes
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes
  }

  private func payload(
    _ id: UInt64, deleting target: UInt64? = nil, _ symbols: SymbolTable
  ) -> CommitPayload {
    var group = RowGroup()
    group.subject = [symbols.intern("ada")]
    group.type = [symbols.intern("heartRate")]
    (group.unit, group.source, group.device, group.extras) = ([0], [0], [0], [0])
    group.id = [Identifier(high: 9, low: id)]
    (group.start, group.end, group.value) = ([1], [1], [Double(id)])
    if let target { group.target = [target] }
    var payload = CommitPayload()
    if target == nil { payload.rows = group } else { payload.deletions = group }
    return payload
  }

  private func writeLog(_ frames: [(first: UInt64, payload: CommitPayload)], _ symbols: SymbolTable)
    throws
  {
    let header = LogHeader(storeID: storeID, epoch: 1, first: 1, salt: 3, predecessor: nil)
    let bytes = try frames.reduce(header.encoded) {
      try $0 + frame($1.payload, first: $1.first, symbols: symbols)
    }
    try write(FileNames.log(first: 1), bytes)
  }

  @Test(arguments: [3, 1 << 31, 1 << 40, (1 << 62) - 1] as [UInt64])
  func `A frame with a far too high sequence number is ignored and allocates no memory`(
    first: UInt64
  ) throws {
    let symbols = SymbolTable()
    try writeLog([(1, payload(1, symbols)), (first, payload(2, symbols))], symbols)
    let database = try Database.inMemory(fileSystem)
    #expect(database.end == 1)
    #expect(try database.values() == [1])
  }

  @Test(arguments: [0, 2, 1 << 40, .max] as [UInt64])
  func `A deletion of a later sequence number is ignored and allocates no memory`(sequence: UInt64)
    throws
  {
    let symbols = SymbolTable()
    let deletion = payload(1, deleting: sequence, symbols)
    try writeLog([(1, payload(1, symbols)), (2, deletion)], symbols)
    let report = try Database.repair(
      from: "store", to: "repaired", options: testOptions(), fileSystem: fileSystem)
    #expect(report.sampleRows == 1)
    #expect(report.deletionRows == 0)
    let database = try Database.inMemory(fileSystem)
    #expect(database.end == 1)
    #expect(try database.values() == [1])
  }

  @Test(arguments: [0, 2, 1 << 40, .max] as [UInt64])
  func `A tailing reader also ignores a deletion of a later sequence number`(
    sequence: UInt64
  ) throws {
    let symbols = SymbolTable()
    try writeLog([(1, payload(1, symbols))], symbols)
    let reader = try Database.inMemory(fileSystem, mode: .readOnly)
    let file = try fileSystem.open("store/" + FileNames.log(first: 1), .update)
    let next = try frame(payload(1, deleting: sequence, symbols), first: 2, symbols: symbols)
    let end = try file.size()
    try next.withUnsafeBytes { try file.write($0, at: end) }
    #expect(try !reader.refresh())
    #expect(reader.end == 1)
    #expect(try reader.values() == [1])
  }

  @Test func `A deletion of a later sequence number in a segment is damage`() throws {
    let symbols = SymbolTable()
    try write(
      FileNames.segment(first: 1, last: 9, generation: 0), segment(symbols, target: 1 << 50))
    let name = FileNames.segment(first: 1, last: 9, generation: 0)
    #expect(
      throws: StoreError.damaged(
        file: name, offset: 0, reason: "a deletion of what came after it (block 1)")
    ) { try Database.inMemory(fileSystem) }
  }

  /// A segment from 1 to 9 with one sample and one deletion.
  private func segment(_ symbols: SymbolTable, target: UInt64) throws -> [UInt8] {
    let file = SegmentTestFile()
    let header = SegmentHeader(
      storeID: storeID, epoch: 1, first: 1, last: 9, generation: 0, floor: 0, deletedThrough: 0)
    let writer = try SegmentWriter(file: file, header: header, symbols: symbols)
    for kind in [RowKind.sample, .deletion] {
      var rows = RowColumns()
      rows.sequence = [kind == .sample ? 8 : 9]
      rows.id = [Identifier(high: 1, low: 1)]
      (rows.start, rows.end, rows.value) = ([1], [1], [1])
      (rows.unit, rows.source, rows.device, rows.extras) = ([0], [0], [0], [0])
      if kind == .deletion { (rows.target, rows.time) = ([target], [1]) }
      try writer.add(
        BlockKey(
          SeriesKey(subject: symbols.intern("ada"), type: symbols.intern("heartRate")), kind), rows)
    }
    _ = try writer.finish(settings: [])
    return file.bytes
  }

  @Test func `A sequence number outside its segment is damage, not an index out of range`()
    throws
  {
    let symbols = SymbolTable()
    var bytes = try segment(symbols, target: 5)
    // The header states that the file ends at 7, with a valid checksum.
    bytes[40] = 7
    let sum = checksum(Array(bytes[..<76]))
    for byte in 0..<4 { bytes[76 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(byte * 8)) }
    try write(FileNames.segment(first: 1, last: 7, generation: 0), bytes)
    let database = try Database.inMemory(fileSystem, mode: .readOnly) { $0.toleratesDamage = true }
    let key = database.key("heartRate")
    for read in [
      { _ = try database.snapshot().select([key]) },
      { _ = try database.snapshot().changes(after: .beginning) },
      { _ = try database.snapshot().row(Identifier(high: 1, low: 1)) },
    ] {
      let error = #expect(throws: StoreError.self) { try read() }
      #expect("\(String(describing: error))".contains("outside of the segment"))
    }
  }

  @Test func `A log is read in chunks, including frames across their boundaries`() throws {
    var random = Seeded(5)
    let database = try Database.inMemory(fileSystem)
    var sizes: [Int] = []
    for index in 0..<12 {
      // Some frames are larger than a chunk, and none compresses.
      let size = index == 5 ? 9 << 20 : 700_001
      sizes.append(size)
      var extras = Extras()
      extras.metadata = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        for at in stride(from: 0, to: size, by: 8) {
          let word = random.next()
          for byte in 0..<min(8, size - at) {
            buffer[at + byte] = UInt8(truncatingIfNeeded: word >> UInt64(byte * 8))
          }
        }
        count = size
      }
      try database.save(start: Double(index), value: Double(index), extras: extras)
    }
    let copy = fileSystem.copy()
    let again = try Database.inMemory(copy)
    let rows = try again.snapshot().select([again.key("heartRate")], order: .start(ascending: true))
    #expect(rows.map { $0.block.metadata(at: $0.row).count } == sizes)
    #expect(again.end == 12)
  }

  @Test
  func `Rows with much metadata get blocks of their own, so that block size is bounded`()
    throws
  {
    let database = try Database.inMemory(fileSystem)
    let key = database.key("heartRate")
    for part in 0..<6 {
      var batch = Batch()
      for row in 0..<10 {
        var extras = Extras()
        extras.metadata = [UInt8](repeating: UInt8(part * 10 + row), count: 1 << 20)
        batch.add(
          subject: key.subject, type: key.type, id: Identifier(UUID()),
          start: Double(part * 10 + row), end: 1e6, value: 1,
          extras: batch.intern(extras: extras.encoded))
      }
      try database.commit(batch)
      if part == 3 { try database.seal() }
    }
    try database.seal()
    for step in ["sealed", "compacted"] {
      if step == "compacted" { try database.compact() }
      let names = fileSystem.list("store")?.filter { $0.hasSuffix(".segment") } ?? []
      var rows = 0
      for name in names {
        let file = try fileSystem.open("store/" + name, .read)
        let segment = try Segment(file: file, name: name, symbols: SymbolTable())
        for block in 0..<segment.blockCount {
          #expect(segment.zone(block).count <= 17, "\(step)")
          rows += segment.zone(block).count
        }
      }
      #expect(rows == 60)
    }
  }

  @Test func `A deletion vector equals a set for any distribution of numbers`() {
    var random = Seeded(8)
    var deleted = DeletionVector()
    var model: Set<UInt64> = []
    let regions: [UInt64] = [0, 60_000, 1 << 32, 1 << 61]
    for step in 0..<300 {
      let region = regions[random.below(4)]
      let numbers = (0..<1 + random.below(20)).map { _ in region + UInt64(random.below(200)) }
      if step % 3 == 2 {
        deleted.remove(numbers)
        model.subtract(numbers)
      } else {
        deleted.insert(numbers)
        model.formUnion(numbers)
      }
      #expect(deleted.count == model.count)
      for region in regions {
        let range = region..<region + 200
        #expect(range.allSatisfy { deleted.contains($0) == model.contains($0) })
        if model.contains(where: range.contains) {
          #expect(deleted.mayIntersect(region, region + 199))
        }
      }
    }
    #expect(!deleted.mayIntersect(1 << 50, 1 << 51))
  }

  @Test func `A sample that was deleted and saved again is found in the right snapshots`()
    throws
  {
    let database = try Database.inMemory()
    let id = Identifier(UUID())
    var snapshots: [Snapshot] = []
    for round in 0..<40 {
      try database.save(value: Double(round), id: id)
      snapshots.append(database.snapshot())
      try database.delete(id)
      #expect(try database.snapshot().row(id) == nil)
    }
    for (round, snapshot) in snapshots.enumerated() {
      #expect(try snapshot.row(id)?.value == Double(round))
    }
  }
}
