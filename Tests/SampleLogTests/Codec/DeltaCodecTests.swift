import SampleLogSimulation
import Testing

@testable import SampleLog

@Suite struct DeltaCodecTests {
  @Test(arguments: 0...DeltaCodec.maximumOrder)
  func `Deltas of any order restore the numbers, with wraparound`(order: Int) {
    var seeded = Seeded(9)
    for count in [order + 1, 40] {
      let numbers = (0..<count).map { _ in Int64(bitPattern: seeded.next()) }
      var deltas = numbers
      DeltaCodec.difference(&deltas, count: count, order: order)
      DeltaCodec.sum(&deltas, count: count, order: order)
      #expect(deltas == numbers)
    }
  }

  @Test func `A polynomial is stored as deltas of its degree`() {
    for degree in 0...4 {
      var numbers = (0..<100).map { index in
        (0..<degree).reduce(Int64(1000)) { power, _ in power * Int64(index - 50) }
      }
      let expected = numbers
      let order = DeltaCodec.differenceBest(&numbers, count: 100)
      // The deltas of the next order are zero.
      #expect(order == degree + 1)
      #expect(numbers.dropFirst(order).allSatisfy { $0 == 0 })
      DeltaCodec.sum(&numbers, count: 100, order: order)
      #expect(numbers == expected)
    }
  }

  @Test func `Irregular numbers are stored without deltas`() {
    var numbers: [Int64] = (0..<64).map { $0 * 7919 % 61 - 30 }
    let before = numbers
    #expect(DeltaCodec.differenceBest(&numbers, count: 64) == 0)
    #expect(numbers == before)
  }

  @Test func `The first column cannot refer to a preceding one`() throws {
    let memory = RawMemory(1)
    memory.writable[0] = 1
    var reader = ByteReader(memory.bytes)
    let column = try DeltaColumn(&reader, count: 3)
    var numbers = [Double](repeating: 0, count: 3)
    var scratch = [Int64](repeating: 0, count: 3)
    #expect(throws: CodecError.self) {
      try column.decode(after: nil, into: &numbers, scratch: &scratch)
    }
  }
}
