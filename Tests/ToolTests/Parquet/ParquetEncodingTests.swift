import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// The encoded bytes, as the specifications of Thrift and Parquet define them.
@Suite struct ParquetEncodingTests {
  @Test func `A structure is encoded in the compact protocol`() {
    let bytes = ThriftWriter.structure { file in
      file.add(1, int32: 1)
      file.add(2, true)
      file.add(3, false)
      file.add(5, int64: -300)
      file.add(25, "ab")
      file.add(26, structure: { $0.add(1, int16: 150) })
      file.add(27, int32s: [0, 1])
      file.add(28, texts: Array(repeating: "", count: 15))
      file.add(29, encodedStructures: [ThriftWriter.structure { _ in }])
    }
    #expect(
      bytes == [
        0x15, 0x02,  // field 1, i32 1
        0x11, 0x12,  // fields 2 and 3, true and false
        0x26, 0xD7, 0x04,  // field 5, i64 -300
        0x08, 0x32, 0x02, 0x61, 0x62,  // field 25: the step is too long for the header
        0x1C, 0x14, 0xAC, 0x02, 0x00,  // field 26, a structure with i16 150
        0x19, 0x25, 0x00, 0x02,  // field 27, a list of two i32
        0x19, 0xF8, 0x0F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // 15 texts
        0x19, 0x1C, 0x00,  // field 29, a list of one empty structure
        0x00,
      ])
  }

  @Test func `The numbers 0 to 7 are packed in three bits each`() {
    // The example of the specification.
    let bytes = HybridEncoder.encode((0..<8).map { UInt32($0) }, width: 3)
    #expect(bytes == [0x03, 0b1000_1000, 0b1100_0110, 0b1111_1010])
  }

  @Test func `A run of equal numbers is encoded as its length and the number`() {
    #expect(HybridEncoder.encode([UInt32](repeating: 4, count: 50), width: 3) == [100, 4])
    #expect(
      HybridEncoder.encode([UInt32](repeating: 0x102, count: 64), width: 9) == [0x80, 1, 2, 1])
    #expect(HybridEncoder.encode([UInt32](repeating: 0, count: 3), width: 0) == [6])
    #expect(HybridEncoder.encode([UInt8](), width: 1) == [])
  }

  @Test func `A short run is packed, and the last group is padded`() {
    #expect(HybridEncoder.encode([UInt8](repeating: 1, count: 10), width: 1) == [5, 0xFF, 0x03])
  }

  @Test(arguments: 0..<40)
  func `Runs and groups round-trip`(seed: UInt64) throws {
    var random = Seeded(seed)
    for width in [1, 2, 5, 7, 8, 13, 17, 32] {
      var numbers: [UInt32] = []
      while numbers.count < 300 {
        let number = UInt32(truncatingIfNeeded: random.next() & (1 << UInt64(width) - 1))
        numbers += Array(repeating: number, count: Int(random.next() % 3 == 0 ? 40 : 1))
        if random.next() % 50 == 0 { break }
      }
      let bytes = HybridEncoder.encode(numbers, width: width)
      let decoded = try ParquetReader.hybrid(bytes[...], width: width, count: numbers.count)
      #expect(decoded == numbers.map { UInt64($0) })
    }
  }

  @Test func `Equal differences take no bits`() {
    // The example of the specification, in blocks of the smallest permitted size.
    #expect(DeltaEncoder.encode([1, 2, 3, 4, 5]) == [0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0])
  }

  @Test func `Differences are packed relative to their minimum`() {
    let bytes = DeltaEncoder.encode([7, 5, 3, 1, 2, 3, 4, 5])
    #expect(
      bytes == [
        0x80, 1, 4, 8, 14,  // the header: 128 numbers a block, 4 miniblocks, 8 numbers, 7
        3, 2, 0, 0, 0,  // the minimum -2, and the widths
        0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0,
      ])
  }

  @Test func `One number or none takes only a header`() {
    #expect(DeltaEncoder.encode([-3]) == [0x80, 1, 4, 1, 5])
    #expect(DeltaEncoder.encode([]) == [0x80, 1, 4, 0, 0])
  }

  @Test(arguments: 0..<20)
  func `Differences of any size round-trip`(seed: UInt64) throws {
    var random = Seeded(seed)
    for count in [1, 2, 31, 32, 33, 128, 129, 130, 160, 161, 257, 1000] {
      let bits = random.next() % 65
      let numbers = (0..<count).map { index -> Int64 in
        if random.next() % 97 == 0 { return [.min, .max, 0, -1][Int(random.next() % 4)] }
        return Int64(bitPattern: bits == 0 ? UInt64(index) : random.next() >> (64 - bits))
      }
      var reader = ByteReader(DeltaEncoder.encode(numbers))
      #expect(try ParquetReader.deltas(&reader) == numbers)
      #expect(reader.rest.isEmpty)
    }
  }

  @Test func `Distinct words are numbered in order of first use`() throws {
    let values = [3.0, -0.0, 3.0, 0.0, .nan, -0.0, .nan]
    let found = try #require(WordNumbers.number(values, map: \.bitPattern, most: 4))
    #expect(found.distinct == [3.0, -0.0, 0.0, .nan].map(\.bitPattern))
    #expect(found.numbers == [0, 1, 0, 2, 3, 1, 3])
    #expect(WordNumbers.number(values, map: \.bitPattern, most: 3) == nil)
  }
}
