import SampleLog
import SampleLogSimulation
import Testing

@Suite struct KeyIndexTests {
  /// Builds an index, writes it, and reads it back.
  private func reread(hashes: [UInt64], rows: [UInt32], segmentRows: Int) throws -> KeyIndex {
    let built = KeyIndex.build(collected(hashes, rows), segmentRows: segmentRows)
    let memory = RawMemory(built.encoded.count)
    memory.writable.copyBytes(from: built.encoded)
    defer { withExtendedLifetime(memory) {} }
    return try KeyIndex(memory.bytes, samples: hashes.count, segmentRows: segmentRows)
  }

  private func misses(_ index: KeyIndex, _ hashes: [UInt64], _ rows: [UInt32]) -> Int {
    zip(hashes, rows).count { hash, row in
      index.probe(hash) { $0.contains(Int(row)) ? true : nil } == nil
    }
  }

  @Test(arguments: [1, 2, 4096, 4097, 100_000, 1 << 20, 1 << 22, 1 << 23, 1 << 24, 1 << 25])
  func `Every row is found for any size of the segment`(segmentRows: Int) throws {
    var random = Seeded(state: UInt64(segmentRows))
    let count = min(segmentRows, 20_000)
    let hashes = (0..<count).map { _ in random.next() }
    // The last row has the highest unit.
    let rows = (0..<count).map { UInt32(segmentRows - 1 - $0 * (segmentRows / count)) }
    let index = try reread(hashes: hashes, rows: rows, segmentRows: segmentRows)
    #expect(misses(index, hashes, rows) == 0)
    #expect(KeyIndex.Shape(rows: segmentRows).fingerprintBits >= 8)
  }

  @Test func `Absent keys are rarely confirmed, and memory is small`() throws {
    var random = Seeded(state: 3)
    let count = 100_000
    let hashes = (0..<count).map { _ in random.next() }
    let index = try reread(
      hashes: hashes, rows: (0..<count).map { UInt32($0) }, segmentRows: 1 << 22)
    var asked = 0
    for _ in 0..<count {
      _ = index.probe(random.next()) { _ -> Bool? in
        asked += 1
        return nil
      }
    }
    #expect(asked < count / 20)
    #expect(index.byteCount < count * 4)
    #expect(index.encoded.count < count * 25 / 8)
  }

  @Test func `Equal hashes overflow and are all found`() throws {
    for hash in [0, 1 << 63, UInt64.max] {
      var random = Seeded(state: 4)
      let others = (0..<500).map { _ in random.next() }
      let hashes = [UInt64](repeating: hash, count: 1000) + others
      let rows = (0..<1500).map { UInt32($0) }
      let index = try reread(hashes: hashes, rows: rows, segmentRows: 1500)
      #expect(misses(index, hashes, rows) == 0)
    }
  }

  @Test func `The hash depends on the store`() {
    let id = Identifier(high: 1, low: 2)
    let first = KeyHash(Identifier(high: 1, low: 1))
    let second = KeyHash(Identifier(high: 1, low: 2))
    #expect(first(id) != second(id))
  }

  @Test func `The bytes of another index are refused`() throws {
    let built = KeyIndex.build(collected([1, 2, 3], [0, 1, 2]), segmentRows: 3)
    let memory = RawMemory(built.encoded.count)
    memory.writable.copyBytes(from: built.encoded)
    defer { withExtendedLifetime(memory) {} }
    #expect(throws: CodecError.self) {
      _ = try KeyIndex(memory.bytes, samples: 4, segmentRows: 4)
    }
    #expect(throws: CodecError.self) {
      _ = try KeyIndex(memory.bytes, samples: 3, segmentRows: 5)
    }
  }
}

/// Underestimates the number of keys, so that chunks have to grow, or overestimates it.
private func collected(_ hashes: [UInt64], _ rows: [UInt32]) -> KeyIndexBuilder {
  var collector = KeyIndexBuilder(expecting: hashes.count % 3 * 40_000)
  for (hash, row) in zip(hashes, rows) { collector.add(hash, row: row) }
  return collector
}
