@testable import SampleLog
import SampleLogSimulation
import Testing

/// Codecs in isolation, with adversarial numbers.
@Suite struct CodecTests {
  private static let counts = [1, 2, 3, 63, 64, 65, 511, 512, 513, 514, 1025, 4096]

  private func roundTrip(_ values: [Int64]) throws -> (back: [Int64], bytes: Int) {
    let encoder = IntegerEncoder(capacity: 4096)
    var writer = ByteWriter()
    encoder.encode(values, count: values.count, into: &writer)
    let memory = padded(writer.bytes)
    defer { withExtendedLifetime(memory) {} }
    var reader = ByteReader(memory.bytes)
    let column = try IntegerColumn(&reader, count: values.count)
    var back = [Int64](repeating: 0, count: values.count)
    column.decode(into: &back)
    for row in stride(from: 0, to: values.count, by: max(1, values.count / 97)) {
      #expect(column.decode(row: row) == values[row])
    }
    return (back, writer.count)
  }

  static func integers(_ shape: Int, _ count: Int, _ random: inout Seeded)
    -> [Int64]
  {
    var sum: Int64 = 0
    return (0..<count).map { index in
      switch shape {
      case 0: return 42
      case 1: return Int64(bitPattern: random.next())
      case 2: return index % 2 == 0 ? .min : .max
      case 3: return [.min, .max, 0, -1][random.below(4)]
      case 4:
        sum += 5000 + Int64(random.below(2000)) - 1000
        return sum
      case 5: return random.below(5) == 0 ? Int64(random.below(9)) : 0
      case 6:
        sum &+= random.below(50) == 0 ? Int64(bitPattern: random.next()) : 1
        return sum
      case 7:
        sum += random.below(6) == 0 ? 4 : 1
        return random.below(100) == 0 ? sum + 300_000 : sum
      case 8: return Int64(index) &* 0x0123_4567_89AB_CDEF
      case 9: return Int64(bitPattern: random.next() >> UInt64(random.below(64)))
      case 10: return index == count / 2 ? .min : 7
      default: return Int64(random.below(1 << (shape - 10))) - 3
      }
    }
  }

  @Test(arguments: 0..<40)
  func `Integers of every shape and count survive a round trip`(shape: Int) throws {
    for count in CodecTests.counts {
      var random = Seeded(state: UInt64(shape * 10000 + count))
      let values = CodecTests.integers(shape, count, &random)
      let (back, _) = try roundTrip(values)
      #expect(back == values, "count \(count)")
    }
  }

  @Test func `Each shape is encoded in few bytes`() throws {
    var random = Seeded(state: 1)
    let limits: [Int: Int] = [0: 8, 4: 4096 * 12 / 8, 5: 4096 * 2 / 8, 7: 4096 * 3 / 8, 14: 2200]
    for (shape, limit) in limits {
      let values = CodecTests.integers(shape, 4096, &random)
      #expect(try roundTrip(values).bytes < limit, "shape \(shape)")
    }
  }

  @Test(arguments: 0...64)
  func `Packed numbers of every width survive a round trip`(width: Int) {
    guard BitPacking.isValid(width: width) else { return }
    var random = Seeded(state: UInt64(width))
    for count in [1, 2, 7, 8, 9, 64, 1000] {
      let values = (0..<count).map { _ in random.next() & BitPacking.mask(width) }
      let memory = RawMemory(BitPacking.byteCount(count, width: width) + 8)
      BitPacking.pack(values, count: count, width: width, into: memory.base)
      var back = [Int64](repeating: 0, count: count)
      BitPacking.unpack(memory.base, count: count, width: width, base: 0, into: &back)
      #expect(back.map { UInt64(bitPattern: $0) } == values)
      for row in 0..<count {
        #expect(BitPacking.load(memory.base, row, width: width) == values[row])
      }
    }
  }

  static func doubles(
    _ shape: Int, _ count: Int, _ random: inout Seeded
  ) -> [Double] {
    (0..<count).map { index in
      switch shape {
      case 0: return Double(random.below(200))
      case 1...6: return Double(random.below(100_000)) / [1, 10, 100, 1e3, 1e4, 1e5, 1e6][shape]
      case 7: return Double(bitPattern: random.next())
      case 8: return [Double.nan, -0.0, .infinity, -.infinity, 0][random.below(5)]
      case 9: return Double(bitPattern: 0x7FF0_0000_0000_0001 | random.next())
      case 10: return random.below(100) == 0 ? .nan : Double(random.below(200))
      case 11:
        return Double(1_672_531_200_000 + index * 5000 + random.below(1000)) / 1000 - 978307200
      case 12: return 7e8 + Double(random.below(1 << 30)) * 0x1p-23
      case 13: return Double(random.below(1000)) / 3
      case 14: return Double(bitPattern: random.next() & 0xF_FFFF_FFFF_FFFF)
      case 15: return Double(Int64(bitPattern: random.next()) >> 4)
      case 16: return -0.0
      default: return random.below(40) == 0 ? 0.5 : Double(random.below(9))
      }
    }
  }

  @Test(arguments: 0..<18)
  func `Doubles of every shape and count survive a round trip bit by bit`(shape: Int) throws {
    for count in CodecTests.counts {
      var random = Seeded(state: UInt64(shape * 10000 + count))
      let starts = CodecTests.doubles(shape, count, &random)
      let others = CodecTests.doubles((shape + 1) % 18, count, &random)
      for ends in [starts, starts.map { $0 + 60 }, others] {
        let integers = IntegerEncoder(capacity: 4096)
        let encoder = DoubleEncoder(capacity: 4096, integers: integers)
        var first = ByteWriter()
        var second = ByteWriter()
        encoder.encodeStarts(starts, count: count, into: &first)
        encoder.encodeEnds(ends, starts: starts, count: count, into: &second)
        let (firstBytes, secondBytes) = (padded(first.bytes), padded(second.bytes))
        defer { withExtendedLifetime((firstBytes, secondBytes)) {} }
        var firstReader = ByteReader(firstBytes.bytes)
        var secondReader = ByteReader(secondBytes.bytes)
        let start = try DoubleColumn(&firstReader, count: count)
        let end = try DoubleColumn(&secondReader, count: count)
        var scratch = [Int64](repeating: 0, count: count * 2)
        var back = [Double](repeating: 1, count: count)
        try start.decode(into: &back, scratch: &scratch)
        #expect(back.map(\.bitPattern) == starts.map(\.bitPattern), "start, count \(count)")
        try end.decodeEnds(
          rows: 0..<count, start: start, starts: nil, into: &back, scratch: &scratch)
        #expect(back.map(\.bitPattern) == ends.map(\.bitPattern), "end, count \(count)")
        let row = count / 2
        #expect(try start.decode(row: row).bitPattern == starts[row].bitPattern)
        #expect(try end.decodeEnd(row: row, start: start).bitPattern == ends[row].bitPattern)
      }
    }
  }

  @Test func `Random and derived identifiers survive a round trip`() throws {
    for count in [1, 2, 3, 4, 5, 8, 100, 4095, 4096] {
      for isRandom in [true, false] {
        var random = Seeded(state: UInt64(count))
        let ids = (0..<count).map { _ in random.identifier(random: isRandom) }
        var writer = ByteWriter()
        IdentifierCodec.encode(ids, count: count, into: &writer)
        let memory = padded(writer.bytes)
        defer { withExtendedLifetime(memory) {} }
        var back = ids.map { _ in Identifier(high: 0, low: 0) }
        try IdentifierCodec.decode(memory.bytes, count: count, into: &back)
        #expect(back == ids)
        if isRandom { #expect(writer.count <= 3 + count * 15 + (count + 3) / 4) }
      }
    }
  }

  @Test
  func `Identifiers that share their first half take little more than the second half`() throws {
    for count in [2, 63, 64, 65, 128, 1000, 4096] {
      var random = Seeded(state: UInt64(count))
      let highs = (0...count / 64).map { _ in random.next() }
      let ids = (0..<count).map { Identifier(high: highs[$0 / 64], low: random.next()) }
      var writer = ByteWriter()
      IdentifierCodec.encode(ids, count: count, into: &writer)
      #expect(writer.count == 3 + count * 8 + (count + 63) / 64 * 8)
      let memory = padded(writer.bytes)
      defer { withExtendedLifetime(memory) {} }
      var back = ids.map { _ in Identifier(high: 0, low: 0) }
      try IdentifierCodec.decode(memory.bytes, count: count, into: &back)
      #expect(back == ids)
      let encoding = try IdentifierCodec.check(memory.bytes, count: count)
      for row in [0, count / 2, count - 1] {
        let rows = row..<min(row + 70, count)
        let (window, first) = IdentifierCodec.window(rows, count: count, encoding: encoding)
        let bytes = memory.bytes[3..<writer.count]
        #expect(window.upperBound <= bytes.count, "a window exceeds the column")
        let base = try #require(
          UnsafeRawBufferPointer(rebasing: bytes[(3 + window.lowerBound)...]).baseAddress)
        #expect(
          IdentifierCodec.load(base, row: row - first, encoding: encoding) == ids[row])
        let relative = rows.lowerBound - first..<rows.upperBound - first
        #expect(
          IdentifierCodec.find(ids[row], base, rows: relative, encoding: encoding)
            == row - first)
      }
    }
  }

  /// Calls a function with invalid or nearly valid columns, and a number of rows.
  static func forEachDamagedColumn(seed: UInt64, _ body: (RawMemory, Int) throws -> Void) rethrows {
    var random = Seeded(state: seed)
    let encoder = IntegerEncoder(capacity: 4096)
    for turn in 0..<20_000 {
      let count = [1, 9, 700][turn % 3]
      var bytes: [UInt8] = []
      if turn % 2 == 0 {
        bytes = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if !bytes.isEmpty { bytes[0] &= 0x77 }
      } else {
        // A valid column with one changed byte gets past more checks.
        var writer = ByteWriter()
        let values = integers(turn % 11, count, &random)
        if turn % 4 == 1 { writer.append([2, 1, 0]) }
        encoder.encode(values, count: count, into: &writer)
        bytes = writer.bytes
        bytes[random.below(min(20, bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let memory = padded(bytes)
      try body(memory, count)
      withExtendedLifetime(memory) {}
    }
  }

  @Test func `No bytes make a decoder trap`() {
    var scratch = [Int64](repeating: 0, count: 8192)
    var out = [Double](repeating: 0, count: 4096)
    CodecTests.forEachDamagedColumn(seed: 77) { memory, count in
      var reader = ByteReader(memory.bytes)
      if let column = try? IntegerColumn(&reader, count: count) {
        column.decode(into: &scratch)
        for row in [0, count / 2, count - 1] { _ = column.decode(row: row) }
      }
      reader = ByteReader(memory.bytes)
      if let column = try? IntegerColumn(&reader, count: count, forOneRow: true) {
        for row in 0..<count { _ = column.decode(row: row) }
        for from in stride(from: 0, to: count, by: 256) {
          column.decode(rows: from..<min(from + 200, count), into: &scratch)
        }
      }
      reader = ByteReader(memory.bytes)
      if let column = try? DoubleColumn(&reader, count: count) {
        try? column.decode(into: &out, scratch: &scratch)
        _ = try? column.decode(row: count - 1)
        _ = try? column.firstRow(notBelow: 1000)
        _ = try? column.aggregates([0..<count], from: 0, through: 9)
      }
      reader = ByteReader(memory.bytes)
      if let column = try? ExtrasColumn(&reader, count: count) {
        var codes = [UInt32](repeating: 0, count: count)
        let blobs = UnsafeMutablePointer<Blob>.allocate(capacity: count)
        defer { blobs.deallocate() }
        _ = try? column.decode(
          rows: 0..<count, codes: &codes, blobs: blobs, scratch: &scratch)
      }
    }
  }
}
