@testable import SampleLog
import SampleLogSimulation
import Testing

@Suite struct ChunkMemoryTests {
  @Test func `Chunks are aligned, disjoint, and keep their contents`() {
    var memory = ChunkMemory()
    var random = Seeded(state: 3)
    var pieces: [(base: UnsafeMutableRawPointer, count: Int, owner: AnyObject)] = []
    for number in 0..<60 {
      // One allocation is larger than the slabs that chunks are cut from.
      let count = number == 30 ? 3 << 20 : 1 + random.below(400_000)
      let (base, owner) = memory.take(count)
      #expect(UInt(bitPattern: base) % 64 == 0)
      base.initializeMemory(as: UInt8.self, repeating: UInt8(number), count: count)
      pieces.append((base, count, owner))
    }
    for (number, piece) in pieces.enumerated() {
      let bytes = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
      let isWhole = bytes.allSatisfy { $0 == UInt8(number) }
      #expect(isWhole, "piece \(number)")
    }
    #expect(Set(pieces.map { ObjectIdentifier($0.owner) }).count < pieces.count / 3)
  }
}
