@testable import SampleLog
import SampleLogSimulation
import Testing

/// Aggregates over integer columns equal those over doubles, bit by bit.
@Suite struct SmallIntegersTests {
  private func values(_ shape: Int, _ count: Int, _ random: inout Seeded) -> [Double] {
    var sum = 60.0
    return (0..<count).map { index in
      switch shape {
      case 18:
        sum += Double(random.below(7)) - 3 + (random.below(50) == 0 ? 40 : 0)
        sum = sum > 180 ? 60 : sum
        return sum
      case 19: return Double(random.below(65_536) - 32_768)
      case 20: return Double(random.below(65_536) - 32_768) * 0x1p-7
      case 21: return index == count / 2 ? 32_768 : Double(random.below(9))
      case 22: return index == count / 2 ? -32_769 : Double(random.below(9))
      case 23: return Double(random.below(3)) * 0x1p60
      case 24: return Double(index) * 3 - 700
      // Numbers of 1 to 8 bits, plain and as differences with a few wider exceptions.
      case 26...33: return Double(random.below(1 << (shape - 25))) - 60
      case 34...41:
        let step = random.below(40) == 0 ? 90 : Double(random.below(1 << (shape - 33)))
        sum = sum + step > 250 ? 3 : sum + step
        return sum * 0x1p-7
      default: return 7
      }
    }
  }

  /// Encodes values and passes the column with the bounds that a directory stores.
  private func withColumn(
    _ values: [Double], _ body: (DoubleColumn, _ least: Double, _ greatest: Double) throws -> Void
  ) throws {
    let encoder = DoubleEncoder(capacity: 4096, integers: IntegerEncoder(capacity: 4096))
    var writer = ByteWriter()
    encoder.encodeValues(values, count: values.count, into: &writer)
    let memory = padded(writer.bytes)
    defer { withExtendedLifetime(memory) {} }
    var reader = ByteReader(memory.bytes)
    let column = try DoubleColumn(&reader, count: values.count)
    let numbers = values.filter { !$0.isNaN }
    try body(column, numbers.min() ?? .infinity, numbers.max() ?? -.infinity)
  }

  private func bits(_ aggregate: Aggregate) -> [UInt64] {
    [
      UInt64(aggregate.count), aggregate.sum.bitPattern, aggregate.minimum.bitPattern,
      aggregate.maximum.bitPattern,
    ]
  }

  @Test(arguments: 0..<42)
  func `Aggregates of runs equal those of doubles bit by bit`(shape: Int) throws {
    for count in [1, 2, 7, 8, 9, 128, 129, 700, 4096] {
      var random = Seeded(state: UInt64(shape * 10000 + count))
      let values =
        shape < 18
        ? CodecTests.doubles(shape, count, &random) : values(shape, count, &random)
      try withColumn(values) { column, least, greatest in
        for _ in 0..<12 {
          // Adjacent runs, runs with gaps, and runs that omit the first and last rows.
          var runs: [Range<Int>] = []
          var row = random.below(3) == 0 ? random.below(count) : 0
          while row < count, runs.count < 4 {
            let end = row + 1 + random.below(count - row)
            runs.append(row..<end)
            row = end + (random.below(2) == 0 ? 0 : random.below(200))
          }
          let found = try column.aggregates(runs, from: least, through: greatest)
          let expected = runs.map { Aggregate(Array(values[$0]), count: $0.count) }
          #expect(found.map(bits) == expected.map(bits), "\(runs) of \(count)")
        }
      }
    }
  }

  @Test func `Sums of integers equal those of successive additions`() throws {
    for shape in [18, 19, 20, 24, 25, 26, 33, 34, 41] {
      var random = Seeded(state: UInt64(shape))
      let values = values(shape, 4096, &random)
      try withColumn(values) { column, least, greatest in
        let whole = try column.aggregates([0..<4096], from: least, through: greatest)
        #expect(whole.first?.sum.bitPattern == values.reduce(0, +).bitPattern)
        #expect(whole.first?.minimum == least && whole.first?.maximum == greatest)
      }
    }
  }

  @Test func `Only bytes scaled by a power of two are recognised`() throws {
    var taken = [18: true, 19: false, 20: false, 21: false, 22: false, 24: false, 25: false]
    for shape in 26...41 { taken[shape] = true }
    for (shape, isTaken) in taken {
      var random = Seeded(state: UInt64(shape))
      let column = values(shape, 700, &random)
      try withColumn(column) { column, least, greatest in
        let small = SmallIntegers(column, from: least, through: greatest)
        #expect((small != nil) == isTaken, "shape \(shape)")
      }
    }
    // A number that the model does not reproduce, or tenths, are not recognised.
    for odd in [-0.0, .nan, .infinity, 0.1] {
      let column = [odd] + (0..<99).map { Double($0) }
      try withColumn(column) { column, least, greatest in
        #expect(SmallIntegers(column, from: least, through: greatest) == nil, "\(odd)")
      }
    }
  }
}
