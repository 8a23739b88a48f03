@testable import SampleLog
import SampleLogSimulation
import Testing

/// The parts of a segment that opening a store reads whole.
@Suite struct OpeningTests {
  // MARK: Deletions

  /// Returns adjacent segments of random lengths, of which some lack samples that were deleted
  /// later.
  private func segments(_ random: inout Seeded) -> [SegmentHeader] {
    var first: UInt64 = 1
    return (0..<1 + random.below(4)).map { _ in
      // Sometimes a segment is missing.
      if random.below(8) == 0 { first += 10 }
      let last = first + UInt64(random.below(40))
      defer { first = last + 1 }
      return SegmentHeader(
        storeID: Identifier(high: 1, low: 2), epoch: 1, first: first, last: last, generation: 0,
        floor: 0, deletedThrough: last + UInt64(random.below(3) * random.below(60)))
    }
  }

  @Test(arguments: 0..<400)
  func `Deletions that are read together are those that are read one by one`(seed: Int) {
    var random = Seeded(state: UInt64(seed))
    let headers = segments(&random)
    let homes = DeletionHomes(headers)
    let own = headers[random.below(headers.count)]
    let length = Int(own.last - own.first) + 1
    // All targets precede the segment, or some follow their deletions, or some are 0.
    let isEarly = own.first > 1 && random.below(2) == 0
    let most = isEarly ? Int(own.first) - 1 : Int(own.last)
    let sequences = (0..<1 + random.below(20)).map { _ in own.first + UInt64(random.below(length)) }
    let targets = sequences.map { _ in
      UInt64(random.below(20) == 0 ? random.below(2) : 1 + random.below(most))
    }
    var expected: [UInt64] = [7]
    var count = 0
    for (target, sequence) in zip(targets, sequences) {
      guard target > 0, target < sequence else { break }
      if homes.mayHave(target, deletedAt: sequence) { expected.append(target) }
      count += 1
    }
    var found: [UInt64] = [7]
    let read = targets.withUnsafeBufferPointer { targets in
      sequences.withUnsafeBufferPointer {
        homes.append(targets, $0, of: own, to: &found)
      }
    }
    #expect(read == count)
    #expect(found == expected)
  }

  // MARK: Series

  private func makeNames(_ count: Int, _ symbols: SymbolTable) throws -> (SegmentNames, RawMemory) {
    let subjects = (0..<count).map { Array("s\(100_000 + $0)".utf8) }
    let memory = padded(
      SegmentNames.encode(symbols: [[], Array("a".utf8), Array("b".utf8)], subjects: subjects))
    return (try SegmentNames(memory.bytes, version: SegmentHeader.version, symbols), memory)
  }

  private func encode(_ parts: SeriesTable.Parts) -> [UInt8] {
    let table = SymbolTable()
    let types = [table.intern("a"), table.intern("b")]
    return SeriesTable.encode(
      parts, type: { UInt32(types.firstIndex(of: $0) ?? 0) + 1 },
      integers: IntegerEncoder(capacity: 4096))
  }

  private func footer(_ parts: SeriesTable.Parts) -> SegmentFooter {
    var footer = SegmentFooter()
    footer.series = parts.ends.count
    footer.blocks = parts.blockCount
    for group in parts.groups {
      if group.kind == .sample { footer.samples += group.rows.count }
      if group.kind == .deletion { footer.deletions += group.rows.count }
    }
    return footer
  }

  private func decode(
    _ parts: SeriesTable.Parts, _ bytes: [UInt8], subjects: Int
  ) throws -> SeriesTable {
    let symbols = SymbolTable()
    let (names, nameBytes) = try makeNames(subjects, symbols)
    let memory = padded(bytes)
    defer { withExtendedLifetime((memory, nameBytes)) {} }
    return try SeriesTable(
      memory.bytes, footer(parts), names, symbols, version: SegmentHeader.version)
  }

  /// Returns parts with two groups of series of the subjects at `positions`.
  private func makeParts(_ positions: [Int], _ rows: (Int) -> Int) -> SeriesTable.Parts {
    var parts = SeriesTable.Parts()
    for (type, kind) in [(1, RowKind.sample), (2, .deletion)] {
      parts.begin(Symbol(type), kind)
      parts.add(blocks: 1)
      for (index, position) in positions.enumerated() {
        parts.add(position: UInt32(position), rows: rows(index))
      }
    }
    return parts
  }

  @Test(arguments: [1, 2, 130, 4096, 4097, 9000], 0..<8)
  func `A table of series keeps subjects and rows of every shape`(count: Int, shape: Int) throws {
    var random = Seeded(state: UInt64(count * 10 + shape))
    var position = -1
    let positions = (0..<count).map { _ in
      position += shape % 2 == 0 ? 1 : 1 + random.below(3)
      return position
    }
    let parts = makeParts(positions) { index in
      switch shape / 2 {
      case 0: return 3
      case 1: return 5 + random.below(200)
      case 2: return index % 100 == 0 ? 900 : 1 + random.below(2)
      default: return 1 + random.below(900)
      }
    }
    let table = try decode(parts, encode(parts), subjects: position + 1)
    #expect(table.groups == parts.groups)
    #expect(table.count == parts.ends.count)
    #expect((0..<table.count).allSatisfy { table.rows($0).upperBound == Int(parts.ends[$0]) })
    let keys = table.keys
    #expect(
      zip(keys, parts.positions).allSatisfy { key, position in
        table.find(key).map { parts.positions[$0.number] } == position
      })
  }

  @Test func `A table of series out of order, without rows or of other sums is refused`() throws {
    func refusal(_ positions: [Int], subjects: Int, _ rows: @escaping (Int) -> Int) -> String? {
      let parts = makeParts(positions, rows)
      do {
        _ = try decode(parts, encode(parts), subjects: subjects)
        return nil
      } catch {
        return (error as? CodecError)?.reason
      }
    }
    let run = Array(0..<40)
    #expect(refusal(run, subjects: 40) { _ in 2 } == nil)
    #expect(refusal(run, subjects: 39) { _ in 2 } == "a number of series makes no sense")
    #expect(refusal(run.map { $0 + 1 }, subjects: 40) { _ in 2 } == "series that do not add up")
    #expect(refusal(run.map { $0 * 3 }, subjects: 117) { _ in 2 } == "series that do not add up")
    #expect(refusal(run.reversed(), subjects: 40) { _ in 2 } == "series out of order")
    #expect(refusal(run.map { $0 / 2 }, subjects: 40) { _ in 2 } == "series out of order")
    #expect(refusal(run, subjects: 40) { $0 == 7 ? 0 : 2 } == "series out of order")
    #expect(refusal(run, subjects: 40) { $0 % 7 } == "series out of order")
    // The counts of the footer are those of other parts.
    let parts = makeParts(run) { _ in 2 }
    let more = makeParts(run) { _ in 3 }
    #expect(throws: CodecError.self) { try decode(parts, encode(more), subjects: 40) }
    #expect(throws: CodecError.self) { try decode(more, encode(parts), subjects: 40) }
    let fewer = makeParts(Array(run.dropLast())) { _ in 2 }
    #expect(throws: CodecError.self) { try decode(fewer, encode(parts), subjects: 40) }
  }

  @Test func `Subjects that do not ascend are refused`() throws {
    func isAccepted(_ names: [String]) -> Bool {
      var writer = ByteWriter()
      SubjectNames.encode(names.map { Array($0.utf8) }, into: &writer)
      let memory = padded(writer.bytes)
      defer { withExtendedLifetime(memory) {} }
      return (try? SubjectNames(memory.bytes)) != nil
    }
    for names in [[], [""], ["a"], ["", "a", "ab", "abc", "b"], ["a", "é", "日"]] {
      #expect(isAccepted(names), "\(names)")
    }
    for names in [["a", "a"], ["b", "a"], ["ab", "a"], ["abd", "abc"], ["a", ""], ["é", "a"]] {
      #expect(!isAccepted(names), "\(names)")
    }
    // The names before and after a restart of the compression.
    var many = (0..<40).map { "s\(10 + $0)" }
    #expect(isAccepted(many))
    many.swapAt(15, 16)
    #expect(!isAccepted(many))
  }

  // MARK: Rows of the log

  @Test(arguments: 0..<60)
  func `A zone map of many rows is that of the same rows one by one`(seed: Int) {
    var random = Seeded(state: UInt64(seed))
    var (many, single) = (ZoneMap(), ZoneMap())
    var next: UInt64 = 1
    for _ in 0..<3 {
      let count = random.below(6)
      func numbers() -> [Double] {
        (0..<count).map { _ in
          let numbers = [Double(random.below(9)), -1, .nan, .infinity, 0, -0.0]
          return seed % 3 == 0 ? Double(random.below(1 + seed)) : numbers[random.below(6)]
        }
      }
      let (start, end) = (numbers(), numbers())
      let sequence = (0..<count).map { next + UInt64($0 * 2) }
      next += UInt64(count * 2)
      many.include(count, start: start, end: end, sequence: sequence)
      for row in 0..<count {
        single.include(start: start[row], end: end[row], sequence: sequence[row])
      }
    }
    #expect(many.count == single.count)
    #expect(many.isSorted == single.isSorted)
    #expect((many.minSequence, many.maxSequence) == (single.minSequence, single.maxSequence))
    #expect((many.minStart, many.maxStart) == (single.minStart, single.maxStart))
    #expect((many.minEnd, many.maxEnd) == (single.minEnd, single.maxEnd))
  }
}
