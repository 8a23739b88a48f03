@testable import SampleLog
import SampleLogSimulation
import Testing

/// Decoding, searching and summing part of a column agrees with the same on the whole column.
@Suite struct SomeRowsTests {
  private static let counts = [1, 2, 127, 128, 129, 256, 700, 4096]

  /// Ranges that begin at a step: all rows, single rows, single steps, and several steps.
  private func windows(_ count: Int, _ random: inout Seeded) -> [Range<Int>] {
    let steps = (count + IntegerCodec.sumStep - 1) / IntegerCodec.sumStep
    return [0..<count, 0..<1]
      + (0..<12).map { _ in
        let from = random.below(steps) * IntegerCodec.sumStep
        return from..<from + 1 + random.below(count - from)
      }
  }

  private func column(_ values: [Double]) throws -> (DoubleColumn, RawMemory) {
    let encoder = DoubleEncoder(capacity: 4096, integers: IntegerEncoder(capacity: 4096))
    var writer = ByteWriter()
    encoder.encodeStarts(values, count: values.count, into: &writer)
    let memory = padded(writer.bytes)
    var reader = ByteReader(memory.bytes)
    return (try DoubleColumn(&reader, count: values.count), memory)
  }

  @Test(arguments: 0...64)
  func `Packed numbers of every width decode from any offset`(width: Int) {
    guard BitPacking.isValid(width: width) else { return }
    var random = Seeded(state: UInt64(width))
    let values = (0..<600).map { _ in random.next() & BitPacking.mask(width) }
    let memory = RawMemory(BitPacking.byteCount(600, width: width) + 8)
    BitPacking.pack(values, count: 600, width: width, into: memory.base)
    for (from, count) in [(0, 600), (1, 599), (3, 8), (128, 300), (250, 7), (599, 1), (64, 0)] {
      var back = [Int64](repeating: 0, count: count)
      BitPacking.unpack(
        memory.base, from: from, count: count, width: width, base: -5, into: &back)
      #expect(back == values[from..<from + count].map { Int64(bitPattern: $0) &- 5 })
      var sums = [Int64](repeating: 0, count: count + 1)
      BitPacking.unpackSums(
        memory.base, from: from, count: count, width: width, base: -5, sum: 9, into: &sums)
      var sum: Int64 = 9
      for (place, one) in sums.enumerated() {
        #expect(one == sum)
        if place < count { sum &+= back[place] }
      }
    }
  }

  @Test(arguments: 0..<40)
  func `Partially decoded integers of every shape equal the full column's`(shape: Int) throws {
    for count in Self.counts {
      var random = Seeded(state: UInt64(shape * 10000 + count))
      let values = CodecTests.integers(shape, count, &random)
      var writer = ByteWriter()
      IntegerEncoder(capacity: 4096).encode(values, count: count, into: &writer)
      let memory = padded(writer.bytes)
      defer { withExtendedLifetime(memory) {} }
      var reader = ByteReader(memory.bytes)
      let column = try IntegerColumn(&reader, count: count)
      for rows in windows(count, &random) {
        var back = [Int64](repeating: 0, count: rows.count)
        column.decode(rows: rows, into: &back)
        #expect(back == Array(values[rows]), "rows \(rows) of \(count)")
      }
    }
  }

  @Test(arguments: 0..<18)
  func `Partially decoded doubles of every shape equal the full column's bit by bit`(shape: Int)
    throws
  {
    for count in Self.counts {
      var random = Seeded(state: UInt64(shape * 10000 + count))
      let starts = CodecTests.doubles(shape, count, &random)
      let (start, bytes) = try column(starts)
      defer { withExtendedLifetime(bytes) {} }
      let others = CodecTests.doubles((shape + 1) % 18, count, &random)
      for ends in [starts, starts.map { $0 + 60 }, others] {
        var writer = ByteWriter()
        let encoder = DoubleEncoder(capacity: 4096, integers: IntegerEncoder(capacity: 4096))
        // Ends are written as distances from the starts before them.
        var unused = ByteWriter()
        encoder.encodeStarts(starts, count: count, into: &unused)
        encoder.encodeEnds(ends, starts: starts, count: count, into: &writer)
        let memory = padded(writer.bytes)
        defer { withExtendedLifetime(memory) {} }
        var reader = ByteReader(memory.bytes)
        let end = try DoubleColumn(&reader, count: count)
        var scratch = [Int64](repeating: 0, count: count * 2)
        for rows in windows(count, &random) {
          var first = [Double](repeating: 1, count: rows.count)
          var last = first
          var again = first
          try start.decode(rows: rows, into: &first, scratch: &scratch)
          #expect(first.map(\.bitPattern) == starts[rows].map(\.bitPattern), "\(rows) of \(count)")
          try end.decodeEnds(
            rows: rows, start: start, starts: nil, into: &last, scratch: &scratch)
          #expect(last.map(\.bitPattern) == ends[rows].map(\.bitPattern), "\(rows) of \(count)")
          try end.decodeEnds(
            rows: rows, start: start, starts: first, into: &again, scratch: &scratch)
          #expect(again.map(\.bitPattern) == last.map(\.bitPattern), "\(rows) of \(count)")
        }
      }
    }
  }

  @Test(arguments: 0..<18)
  func `A search in an ascending column agrees with one in its decoded numbers`(
    shape: Int
  ) throws {
    for count in Self.counts {
      var random = Seeded(state: UInt64(shape * 10000 + count))
      let values = CodecTests.doubles(shape, count, &random).map { $0.isNaN ? 1 : $0 }.sorted()
      let (column, memory) = try column(values)
      defer { withExtendedLifetime(memory) {} }
      let met = (0..<20).map { _ in values[random.below(count)] } + [values[0], values[count - 1]]
      for bound in met.flatMap({ [$0, $0.nextUp, $0.nextDown] }) + [-.infinity, .infinity] {
        let expected = values.firstIndex { $0 >= bound } ?? count
        #expect(try column.firstRow(notBelow: bound) == expected, "\(bound) among \(count)")
      }
    }
  }
}
