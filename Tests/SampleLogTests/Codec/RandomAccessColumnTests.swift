@testable import SampleLog
import SampleLogSimulation
import Testing

/// Random access to packed columns, as lookups use it.
@Suite struct RandomAccessColumnTests {
  private static let counts = [1, 2, 127, 128, 129, 511, 512, 513, 1025, 4095, 4096]

  /// Numbers that select one encoding or another.
  private static func integers(
    _ shape: Int, _ count: Int, _ random: inout Seeded
  ) -> [Int64] {
    var sum: Int64 = 1000
    return (0..<count).map { row in
      switch shape {
      case 0: return 42
      case 1: return Int64(random.below(5000))
      case 2: return random.below(50) == 0 ? Int64.max - Int64(row) : Int64(random.below(9))
      case 3: return random.below(20) == 0 ? Int64(random.below(300)) : 7
      case 4: return random.below(20) == 0 ? Int64(random.below(300)) << 40 : 7
      case 5:
        sum += 4000 + Int64(random.below(2000))
        return sum
      case 6:
        sum += random.below(9) == 0 ? 1 + Int64(random.below(6)) : 1
        return random.below(99) == 0 ? sum + 200_000 : sum
      case 7:
        sum += random.below(80) == 0 ? 3_000_000 : Int64(random.below(12))
        return sum
      case 8: return Int64(bitPattern: random.next())
      default:
        sum += Int64(random.below(1 << 20))
        return sum
      }
    }
  }

  /// Ascending row lists: all rows, single ones, and more or fewer than one per step.
  private static func lists(of count: Int, _ random: inout Seeded) -> [[Int32]] {
    let all = (0..<Int32(count)).map { $0 }
    return [all, [all[0]], [all[count - 1]]]
      + [2, 30, 200].map { one in all.filter { _ in random.below(one) == 0 } }
  }

  private func column(_ values: [Int64]) throws -> (IntegerColumn, RawMemory) {
    let encoder = IntegerEncoder(capacity: 4096)
    var writer = ByteWriter()
    encoder.encode(values, count: values.count, into: &writer)
    let memory = padded(writer.bytes)
    var reader = ByteReader(memory.bytes)
    return (try IntegerColumn(&reader, count: values.count, forOneRow: true), memory)
  }

  @Test
  func `Integers read by random access from every encoding equal those that were written`() throws {
    var forms: Set<String> = []
    for shape in 0..<10 {
      for count in Self.counts {
        var random = Seeded(state: UInt64(shape * 10_000 + count))
        let values = Self.integers(shape, count, &random)
        let (column, memory) = try column(values)
        defer { withExtendedLifetime((column, memory)) {} }
        let isConstant = column.constant != nil
        let exceptions = column.exceptions > 0 ? " exceptions" : ""
        forms.insert(
          isConstant
            ? "constant" : "\(column.first != nil) \(column.mode != nil)\(exceptions)")
        let picked = RandomAccessIntegers(column)
        picked.prefetch(0..<count)
        #expect((0..<count).allSatisfy { picked[$0] == values[$0] }, "\(shape), \(count)")
        for rows in Self.lists(of: count, &random) {
          var several = [Int64](repeating: 1, count: rows.count)
          picked.decode(rows, into: &several)
          #expect(several == rows.map { values[Int($0)] }, "\(shape), \(count), \(rows)")
        }
      }
    }
    // The rounds cover every combination of differences and exceptions.
    for form in ["constant", "false false", "false true", "true false", "true true"] {
      #expect(forms.contains { $0.hasPrefix(form) }, "\(form)")
    }
    #expect(forms.contains { $0.hasSuffix("exceptions") })
  }

  @Test func `A prefetch covers the bytes that the read needs`() throws {
    func line(_ address: UnsafeRawPointer) -> UInt { UInt(bitPattern: address) >> 6 }
    for shape in 1..<10 {
      var random = Seeded(state: UInt64(shape))
      let values = Self.integers(shape, 4000, &random)
      let (column, memory) = try column(values)
      defer { withExtendedLifetime((column, memory)) {} }
      let picked = RandomAccessIntegers(column)
      for begin in stride(from: 0, to: 4000, by: 128) {
        let rows = begin..<min(begin + 128, 4000)
        var lines: Set<UInt> = []
        picked.forEachLine(of: rows) { lines.insert(line($0)) }
        for row in rows {
          // The last field that the read uses.
          let before = column.mode == nil ? row : column.marks(0..<row)
          let field = column.first == nil ? before : before - 1
          guard field >= 0, field < column.stored else { continue }
          let address = column.fields + field * column.width / 8
          #expect(lines.contains(line(address)), "shape \(shape), row \(row)")
        }
      }
    }
  }

  @Test
  func `Dates read by random access from every encoding equal those that were written, bit by bit`()
    throws
  {
    let count = 1000
    var random = Seeded(state: 8)
    let millisecond = (0..<count).map { _ in
      Double(1_700_000_000_000 + random.below(1 << 40)) / 1000 - 978_307_200
    }
    let shapes: [[Double]] = [
      millisecond, millisecond.map { $0 + 60 }, (0..<count).map { Double($0) / 3 },
      (0..<count).map { _ in Double(bitPattern: random.next()) },
      (0..<count).map { $0 % 50 == 0 ? -0.0 : Double($0) },
    ]
    for starts in shapes {
      for ends in shapes {
        let encoder = DoubleEncoder(
          capacity: 4096, integers: IntegerEncoder(capacity: 4096))
        var (first, second) = (ByteWriter(), ByteWriter())
        encoder.encodeStarts(starts, count: count, into: &first)
        encoder.encodeEnds(ends, starts: starts, count: count, into: &second)
        let memory = (padded(first.bytes), padded(second.bytes))
        var readers = (ByteReader(memory.0.bytes), ByteReader(memory.1.bytes))
        let start = try DoubleColumn(&readers.0, count: count, forOneRow: true)
        let end = try DoubleColumn(&readers.1, count: count, forOneRow: true)
        defer { withExtendedLifetime((memory, start, end)) {} }
        let picked = (try RandomAccessDoubles(start), try RandomAccessDoubles(end, start: start))
        var (one, room) = (0.0, [Int64](repeating: 0, count: 2))
        for row in 0..<count {
          #expect(picked.0[row].bitPattern == starts[row].bitPattern)
          picked.1.decode(
            [Int32(row)], start: picked.0, into: &one, scratch: &room)
          #expect(one.bitPattern == ends[row].bitPattern)
        }
        for rows in Self.lists(of: count, &random) {
          var several = [Double](repeating: 1, count: rows.count)
          var scratch = [Int64](repeating: 0, count: rows.count * 2)
          for (column, dates) in [(picked.0, starts), (picked.1, ends)] {
            column.decode(rows, start: picked.0, into: &several, scratch: &scratch)
            #expect(several.map(\.bitPattern) == rows.map { dates[Int($0)].bitPattern })
          }
        }
      }
    }
  }

  @Test func `Distances from start dates are refused in any other column`() throws {
    for kind in [DoubleCodec.sameAsStart, DoubleCodec.afterStart] {
      // One row; the distance is also a constant column.
      let distance = [IntegerCodec.constant, 1, 0]
      let bytes = [kind] + (kind == DoubleCodec.sameAsStart ? [1] : distance)
      let memory = padded(bytes)
      defer { withExtendedLifetime(memory) {} }
      var reader = ByteReader(memory.bytes)
      let column = try DoubleColumn(&reader, count: 1)
      #expect(throws: CodecError.self) { try RandomAccessDoubles(column) }
    }
  }

  @Test func `No bytes make random access trap`() {
    CodecTests.forEachDamagedColumn(seed: 78) { memory, count in
      var reader = ByteReader(memory.bytes)
      if let column = try? IntegerColumn(&reader, count: count, forOneRow: true) {
        let picked = RandomAccessIntegers(column)
        picked.prefetch(0..<count)
        for row in 0..<count { _ = picked[row] }
        var all = [Int64](repeating: 0, count: count)
        picked.decode((0..<Int32(count)).map { $0 }, into: &all)
        withExtendedLifetime(column) {}
      }
      reader = ByteReader(memory.bytes)
      if let column = try? DoubleColumn(&reader, count: count, forOneRow: true),
        let picked = try? RandomAccessDoubles(column)
      {
        for row in 0..<count { _ = picked[row] }
        var all = [Double](repeating: 0, count: count)
        var scratch = [Int64](repeating: 0, count: count * 2)
        picked.decode(
          (0..<Int32(count)).map { $0 }, start: picked, into: &all, scratch: &scratch)
        withExtendedLifetime(column) {}
      }
    }
  }
}
