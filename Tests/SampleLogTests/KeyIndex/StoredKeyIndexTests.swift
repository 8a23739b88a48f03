import Foundation
@testable import SampleLog
import SampleLogSimulation
import Testing

/// Key indexes that stay in the file, and the memory budget of the others.
@Suite struct StoredKeyIndexTests {
  private struct Keys {
    var hashes: [UInt64]
    var rows: [UInt32]
    var segmentRows: Int
    var collected: KeyIndexBuilder

    /// Random keys, and some with the same home bucket.
    init(seed: UInt64, count: Int, segmentRows: Int) {
      var random = Seeded(state: seed)
      hashes = (0..<count).map { $0 % 10 == 9 ? 5 : random.next() }
      rows = (0..<count).map { UInt32(segmentRows - 1 - $0 * (segmentRows / count)) }
      collected = KeyIndexBuilder(expecting: count)
      for (hash, row) in zip(hashes, rows) { collected.add(hash, row: row) }
      self.segmentRows = segmentRows
    }

    var index: KeyIndex { KeyIndex.build(collected, segmentRows: segmentRows) }
  }

  /// Writes an index to a file, with other bytes before and after it.
  private func stored(
    _ bytes: [UInt8], _ keys: Keys, in file: SegmentTestFile? = nil, checksum: UInt32? = nil
  ) throws -> StoredKeyIndex {
    let file = file ?? SegmentTestFile([1, 2, 3] + bytes + [4, 5])
    return try StoredKeyIndex(
      file, 3..<3 + bytes.count, checksum: checksum ?? SampleLog.checksum(bytes),
      samples: keys.hashes.count, segmentRows: keys.segmentRows)
  }

  /// The units that a lookup of each hash reads.
  private func units(_ hashes: [UInt64], _ probe: (UInt64, (Range<Int>) -> Bool?) throws -> Bool?)
    rethrows -> [[Range<Int>]]
  {
    try hashes.map { hash in
      var units: [Range<Int>] = []
      _ = try probe(hash) {
        units.append($0)
        return nil
      }
      return units
    }
  }

  @Test(arguments: [1, 2, 4096, 4097, 100_000, 1 << 22, 1 << 25])
  func `An index in the file returns the same rows as one in memory`(segmentRows: Int) throws {
    let keys = Keys(seed: 1, count: min(segmentRows, 3000), segmentRows: segmentRows)
    var random = Seeded(state: 2)
    let asked = keys.hashes + (0..<3000).map { _ in random.next() }
    let index = keys.index
    let stored = try stored(index.encoded, keys)
    let expected = units(asked) { index.probe($0, $1) }
    #expect(try units(asked) { try stored.probe($0, $1) } == expected)
    for (row, units) in zip(keys.rows, expected) {
      #expect(units.contains { $0.contains(Int(row)) })
    }
  }

  @Test func `An index in the file takes a sixteenth of a byte of memory per key`() throws {
    let keys = Keys(seed: 3, count: 50_000, segmentRows: 50_000)
    let stored = try stored(keys.index.encoded, keys)
    #expect(stored.byteCount < 50_000 / 14)
  }

  @Test func `An index in the file is validated before it is used`() throws {
    let keys = Keys(seed: 4, count: 500, segmentRows: 500)
    let bytes = keys.index.encoded
    let sum = checksum(bytes)
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var other = bytes
      other[place] ^= 4
      #expect(throws: CodecError.self) { try stored(other, keys, checksum: sum) }
      // Invalid values are refused even with a valid checksum.
      if place < KeyIndexHeader.length { _ = try? stored(other, keys) }
    }
    for length in [0, 15, 16, bytes.count - 1] {
      #expect(throws: CodecError.self) { try stored(Array(bytes[..<length]), keys) }
    }
    var counts = bytes
    counts[KeyIndexHeader.length] = 22
    #expect(throws: CodecError.self) { try stored(counts, keys) }
    let file = SegmentTestFile([1, 2, 3] + bytes)
    let index = try stored(bytes, keys, in: file)
    try file.truncate(to: 3 + KeyIndexHeader.length)
    #expect(throws: CodecError.self) { try index.probe(keys.hashes[0]) { _ in true } }
  }

  @Test(arguments: [0, 1 << 20])
  func `Identifiers are found and kept unique for any memory budget of the indexes`(
    capacity: Int
  ) throws {
    let fileSystem = MemoryFileSystem()
    func open() throws -> Database {
      try .inMemory(fileSystem) { $0.identifierIndexByteCount = capacity }
    }
    var ids: [Identifier] = []
    func check(_ database: Database) throws {
      for id in ids {
        #expect(try database.snapshot().row(id) != nil)
        #expect(throws: StoreError.duplicate(id)) {
          try database.commit(sample(id, database))
        }
      }
      #expect(try database.snapshot().row(Identifier(UUID())) == nil)
      let isStored = try database.snapshot().segments.map { segment in
        if case .stored = try segment.keyIndex() { true } else { false }
      }
      #expect(isStored.allSatisfy { $0 == (capacity == 0) } && !isStored.isEmpty)
    }
    var database = try open()
    for _ in 0..<3 {
      for _ in 0..<20 {
        let id = Identifier(UUID())
        ids.append(id)
        try database.commit(sample(id, database))
      }
      try database.seal()
      try check(database)
    }
    try database.close()
    database = try open()
    try check(database)
    try database.compact()
    try check(database)
  }

  private func sample(_ id: Identifier, _ database: Database) -> Batch {
    var batch = Batch()
    let key = database.key("steps")
    batch.add(
      subject: key.subject, type: key.type, id: id, start: 1, end: 2, value: 3,
      unit: database.symbols.intern("count"), source: database.symbols.intern("source"))
    return batch
  }

  @Test func `The memory of indexes is released with their segments`() throws {
    let database = try Database.inMemory { $0.identifierIndexByteCount = 64 * 3 }
    // Indexes of one bucket each.
    for number in 0..<5 {
      let id = Identifier(UUID())
      try database.commit(sample(id, database))
      try database.seal()
      #expect(try database.snapshot().row(id) != nil)
      #expect(database.caches.indexes.take(64) == (number < 2))
      if number < 2 { database.caches.indexes.giveBack(64) }
    }
    try database.compact()
    #expect(database.caches.indexes.take(64 * 3))
    #expect(!database.caches.indexes.take(1))
  }

  @Test func `A filter passes all its keys and few others`() {
    let keys = Keys(seed: 5, count: 100_000, segmentRows: 100_000)
    let filter = BloomFilter(keys.collected)
    #expect(keys.hashes.allSatisfy(filter.mayContain))
    var random = Seeded(state: 6)
    let strangers = (0..<100_000).count { _ in filter.mayContain(random.next()) }
    #expect(strangers > 0 && strangers < 1600)
    #expect(filter.byteCount <= 100_000 * 10 / 8 + 64)
  }

  @Test(arguments: [0, 64 << 20, 256 << 20, 1 << 40])
  func `Options for an amount of memory leave a quarter of it for other work`(memory: Int) {
    let options = Database.Options(memoryByteCount: memory)
    let allowed = max(memory, 32 << 20)
    let logs = 4 * options.sealRowCount * 120
    // Windows are as large as blocks.
    let parts =
      logs + 2 * options.blockCacheByteCount + options.feedOrderByteCount
      + options.identifierIndexByteCount
    #expect(parts <= allowed / 4 * 3)
    #expect(
      options.sealRowCount >= 10_000 && options.sealRowCount <= Database.Options().sealRowCount)
  }
}
