@testable import SampleLog
import Testing

/// Looking rows up by identifier, and what is kept of their blocks.
@Suite struct LookUpTests {
  private func segment(
    _ shape: [(type: String, kind: RowKind, blocks: [Int], wild: Bool)]
  ) throws -> (Segment, [ExpectedBlock]) {
    var maker = SegmentMaker(seed: 31)
    let file = try maker.make(shape)
    return (try Segment(file: file, name: "s", symbols: maker.symbols), maker.expected)
  }

  @Test func `Where an identifier may be is said before it is looked for there`() throws {
    let (segment, expected) = try segment(SegmentMaker.large)
    for (index, block) in expected.enumerated() where block.kind == .sample {
      for row in stride(from: 0, to: block.rows.count, by: 41) {
        var last: (block: Int, rows: Range<Int>)?
        let found = try segment.find(block.rows.id[row]) { last = ($0, $1) }
        #expect(try #require(found) == (index, row))
        #expect(last?.block == index && last?.rows.contains(row) == true)
      }
    }
  }

  @Test func `A row is the same from a decoded block, a stored one and one not at hand`() throws {
    let (segment, expected) = try segment(SegmentMaker.large)
    for (index, block) in expected.enumerated() {
      let row = block.rows.count / 2
      let cache = BlockCache(capacity: 64 << 20)
      let absent = cache.content(segment, index)
      #expect(absent == nil)
      let read = try cache.row(segment, (index, row), id: nil, absent)
      let stored = try #require(cache.content(segment, index))
      guard case .stored = stored else { throw StoreError.invalid("not stored") }
      let picked = try cache.row(segment, (index, row), id: nil, stored)
      _ = try cache.block(segment, index)
      let decoded = try #require(cache.content(segment, index))
      guard case .decoded = decoded else { throw StoreError.invalid("not decoded") }
      let whole = try cache.row(segment, (index, row), id: nil, decoded)
      #expect(whole.block.count == block.rows.count)
      for found in [read, picked, whole] {
        #expect(
          difference(found.block, block.rows, from: row - found.row) == nil, "block \(index)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `A decoded block goes first when only rows of it are wanted`(isRead: Bool) throws {
    let (segment, _) = try segment([("heart rate", .sample, [50, 50, 50], false)])
    let cache = BlockCache(capacity: 100 * BlockCache.bytesPerRow)
    _ = try cache.block(segment, 0)
    _ = try cache.block(segment, 1)
    _ = cache.content(segment, 0)
    // What reads all of the block is a reason to keep it.
    if isRead { _ = try cache.block(segment, 0) }
    _ = try cache.block(segment, 2)
    #expect((cache.known(segment, 0) != nil) == isRead)
    #expect((cache.known(segment, 1) != nil) == !isRead)
  }

  @Test func `A series of one kind is taken once`() {
    func series(_ kind: RowKind, _ blocks: Range<Int>) -> SegmentSeries {
      SegmentSeries(subject: 1, type: 2, kind: kind, blocks: blocks, rows: 9)
    }
    var places = SeriesBlocks()
    let isNew = [
      series(.sample, 0..<2), series(.deletion, 2..<3), series(.sample, 3..<4),
      series(.deletion, 4..<5),
    ].map { places.take($0) }
    #expect(isNew == [true, true, false, false])
    #expect(series(.sample, 0..<1).key != SegmentSeries.key(2, 1))
  }
}
