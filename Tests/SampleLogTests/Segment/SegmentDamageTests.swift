import SampleLog
import SampleLogSimulation
import Testing

@Suite struct SegmentDamageTests {
  /// Reads everything in a segment.
  ///
  /// - Returns: The reported error, an empty text if all results are correct, or nil if one is
  ///   wrong.
  private func complaint(_ file: SegmentTestFile, _ maker: SegmentMaker) throws -> String? {
    do {
      let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
      guard segment.header == maker.header, segment.settings == maker.settings,
        segment.blockCount == maker.expected.count
      else { return nil }
      for (index, expected) in maker.expected.enumerated() {
        let block = try segment.block(index, .all)
        guard block.kind == expected.kind, block.type == expected.type,
          block.count == expected.rows.count, difference(block, expected.rows) == nil
        else { return nil }
        for (row, id) in expected.rows.id.enumerated() {
          let found = try segment.find(id)
          guard found.map({ $0 == (index, row) }) ?? (expected.kind == .deletion) else {
            return nil
          }
        }
      }
      _ = try segment.find(syncKey: 1)
    } catch let error as StoreError {
      return "\(error)"
    }
    return ""
  }

  @Test func `A flipped bit changes no result and is reported by verification`() throws {
    var maker = SegmentMaker(seed: 21)
    let file = try maker.make(SegmentMaker.small)
    let bits = file.bytes.count * 8
    #expect(try complaint(file, maker) == "")
    for bit in stride(from: 0, to: bits, by: Trials.count(1, quick: 3)) {
      file.flip(bit: bit)
      defer { file.flip(bit: bit) }
      // Nil means a wrong result; an error or a correct result is acceptable.
      if try complaint(file, maker) == nil { Issue.record("bit \(bit) changes an answer") }
      do {
        let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
        var reports = 0
        segment.verify { _, _ in reports += 1 }
        if reports == 0 { Issue.record("bit \(bit) is not reported by verification") }
      } catch is StoreError {
      }
    }
  }

  @Test func `A bit that flips in an open segment is reported by verification`() throws {
    var maker = SegmentMaker(seed: 22)
    let file = try maker.make(SegmentMaker.small)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    for bit in stride(from: 0, to: file.bytes.count * 8, by: 3) {
      file.flip(bit: bit)
      defer { file.flip(bit: bit) }
      var reports = 0
      segment.verify { _, _ in reports += 1 }
      if reports == 0 { Issue.record("bit \(bit) is not reported by verification") }
    }
  }

  @Test func `A file truncated anywhere does not open`() throws {
    var maker = SegmentMaker(seed: 23)
    let bytes = try maker.make(SegmentMaker.small).bytes
    for length in 0..<bytes.count {
      #expect(throws: StoreError.self) {
        _ = try Segment(
          file: SegmentTestFile(Array(bytes.prefix(length))), name: "s", symbols: maker.symbols)
      }
    }
    #expect(throws: StoreError.self) {
      _ = try Segment(file: SegmentTestFile(bytes + [0]), name: "s", symbols: maker.symbols)
    }
  }

  @Test func `Random bytes do not open`() {
    var random = Seeded(state: 24)
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(throws: StoreError.self) {
        _ = try Segment(file: SegmentTestFile(bytes), name: "s", symbols: SymbolTable())
      }
    }
  }

  @Test func `A newer version is reported as such, not as damage`() throws {
    var maker = SegmentMaker(seed: 25)
    var bytes = try maker.make(SegmentMaker.small).bytes
    bytes[8] = 9
    let sum = checksum(Array(bytes[0..<76]))
    withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange(76..<80, with: $0) }
    #expect(throws: StoreError.unsupportedVersion(file: "s", version: 9)) {
      _ = try Segment(file: SegmentTestFile(bytes), name: "s", symbols: maker.symbols)
    }
  }

  @Test func `Wrong bytes with valid checksums never trap`() throws {
    var maker = SegmentMaker(seed: 26)
    let sound = try maker.make(SegmentMaker.small).bytes
    var random = Seeded(state: 27)
    let footer = sound.count - 168
    for _ in 0..<4000 {
      var bytes = sound
      func word(_ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
      }
      func seal(_ range: Range<Int>, at place: Int) {
        withUnsafeBytes(of: checksum(Array(bytes[range])).littleEndian) {
          bytes.replaceSubrange(place..<place + 4, with: $0)
        }
      }
      let regions = (0..<6).map {
        word(footer + $0 * 20)..<word(footer + $0 * 20) + word(footer + $0 * 20 + 8)
      }
      for _ in 0..<1 + random.below(3) {
        bytes[80 + random.below(footer + 144 - 80)] = UInt8(truncatingIfNeeded: random.next())
      }
      // Repairs the checksums from the inside out.
      for block in 0..<3 {
        let entry = regions[2].lowerBound + block * 192
        var offset = word(entry)
        for column in 0..<11 {
          let length = word(entry + 16 + column * 4)
          if offset + length <= bytes.count {
            seal(offset..<offset + length, at: entry + 60 + column * 4)
          }
          offset += length
        }
      }
      for (index, region) in regions.enumerated() { seal(region, at: footer + index * 20 + 16) }
      seal(footer..<footer + 156, at: footer + 156)
      let file = SegmentTestFile(bytes)
      guard let segment = try? Segment(file: file, name: "s", symbols: SymbolTable()) else {
        continue
      }
      segment.verify { _, _ in }
      for block in 0..<segment.blockCount {
        _ = segment.zone(block)
        _ = try? segment.row(0, ofBlock: block, .all)
      }
      _ = try? segment.find(maker.expected[0].rows.id[3])
      _ = try? segment.find(syncKey: random.next())
    }
  }
}
