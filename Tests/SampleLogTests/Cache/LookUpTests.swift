@testable import SampleLog
import Testing

/// Lookups by identifier, and the caching of their blocks.
@Suite struct LookUpTests {
  private func segment(
    _ shape: [(type: String, kind: RowKind, blocks: [Int], wild: Bool)]
  ) throws -> (Segment, [ExpectedBlock]) {
    var maker = SegmentMaker(seed: 31)
    let file = try maker.make(shape)
    return (try Segment(file: file, name: "s", symbols: maker.symbols), maker.expected)
  }

  @Test func `A lookup announces the rows of a candidate before it reads them`() throws {
    let (segment, expected) = try segment(SegmentMaker.large)
    for (index, block) in expected.enumerated() where block.kind == .sample {
      for row in stride(from: 0, to: block.rows.count, by: 41) {
        var last: (block: Int, rows: Range<Int>)?
        let found = try segment.find(block.rows.id[row]) { last = ($1, $2) }
        #expect(try #require(found) == (index, row))
        #expect(last?.block == index && last?.rows.contains(row) == true)
      }
    }
  }

  @Test func `A row is the same from a decoded block, a cached encoded one and the file`() throws {
    let (segment, expected) = try segment(SegmentMaker.large)
    for (index, block) in expected.enumerated() {
      let row = block.rows.count / 2
      let cache = BlockCache(capacity: 64 << 20)
      #expect(!isStored(index, segment))
      let read = try cache.row(segment, (index, row), id: nil)
      #expect(isStored(index, segment))
      let picked = try cache.row(segment, (index, row), id: nil)
      // Evicted, so that the decoded block answers.
      cache.forget([segment])
      _ = try cache.block(segment, index)
      let whole = try cache.row(segment, (index, row), id: block.rows.id[row])
      #expect(!isStored(index, segment))
      #expect(whole.block.count == block.rows.count)
      for found in [read, picked, whole] {
        #expect(
          difference(found.block, block.rows, from: row - found.row) == nil, "block \(index)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `A decoded block is evicted first if only single rows of it are read`(isRead: Bool) throws {
    let (segment, _) = try segment([("heart rate", .sample, [50, 50, 50], false)])
    let cache = BlockCache(capacity: 100 * BlockCache.bytesPerRow)
    _ = try cache.block(segment, 0)
    _ = try cache.block(segment, 1)
    _ = try cache.row(segment, (0, 7), id: nil)
    // Reading the whole block is a reason to keep it.
    if isRead { _ = try cache.block(segment, 0) }
    _ = try cache.block(segment, 2)
    #expect((cache.known(segment, 0) != nil) == isRead)
    #expect((cache.known(segment, 1) != nil) == !isRead)
  }

  private func isStored(_ block: Int, _ segment: Segment) -> Bool {
    segment.withEncodedBlock(block) { _ in } != nil
  }

  @Test func `Encoded blocks are released with their cache, and then the segment`() throws {
    weak var gone: Segment?
    do {
      let (segment, _) = try segment(SegmentMaker.large)
      gone = segment
      do {
        let cache = BlockCache(capacity: 64 << 20)
        _ = try cache.row(segment, (0, 1), id: nil)
        #expect(isStored(0, segment))
      }
      #expect(!isStored(0, segment))
    }
    #expect(gone == nil)
  }

  @Test func `Encoded blocks that are read again stay cached`() throws {
    let (segment, _) = try segment([("heart rate", .sample, [50, 50, 50, 50], false)])
    let size = try segment.encodedBlock(0).byteCount
    let cache = BlockCache(capacity: size * 5 / 2)
    for block in [0, 1, 0, 2, 0, 3] { _ = try cache.row(segment, (block, 9), id: nil) }
    #expect((0..<4).map { isStored($0, segment) } == [true, false, false, true])
  }
}
