@testable import SampleLog
import SampleLogSimulation
import Testing

@Suite struct SegmentTests {
  private let single: [ColumnSet] = [
    .sequence, .id, .start, .end, .value, .unit, .source, .device, .extras, .target,
  ]

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `Every row survives a round trip bit by bit`(seed: UInt64) throws {
    var maker = SegmentMaker(seed: seed)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    #expect(segment.blockCount == maker.expected.count)
    for (index, expected) in maker.expected.enumerated() {
      let block = try segment.block(index, .all)
      #expect(block.subject(at: 0) == expected.subject)
      #expect(block.type == expected.type)
      #expect(block.kind == expected.kind)
      #expect(block.count == expected.rows.count)
      #expect(block.columns.contains(.target) == (expected.kind == .deletion))
      #expect(difference(block, expected.rows) == nil)
    }
  }

  @Test func `Each column can be read alone`() throws {
    var maker = SegmentMaker(seed: 4)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    for (index, expected) in maker.expected.enumerated() {
      for column in single where column != .target || expected.kind == .deletion {
        let block = try segment.block(index, column)
        #expect(block.columns == column)
        #expect(difference(block, expected.rows) == nil, "block \(index)")
      }
    }
  }

  @Test func `Single rows equal the rows of their block`() throws {
    var maker = SegmentMaker(seed: 5)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    var random = Seeded(state: 6)
    for (index, expected) in maker.expected.enumerated() {
      let count = expected.rows.count
      for row in [0, count - 1] + (0..<60).map({ _ in random.below(count) }) {
        let block = try segment.row(row, ofBlock: index, .all)
        #expect(block.count == 1)
        #expect(difference(block, expected.rows, from: row) == nil, "block \(index) row \(row)")
      }
    }
  }

  @Test(arguments: [1, 2, 7, 40, 41, 300])
  func `Selected rows of a block equal its rows, for any number`(share: Int) throws {
    var maker = SegmentMaker(seed: 77)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    for (index, expected) in maker.expected.enumerated() {
      let places = stride(from: 0, to: expected.rows.count, by: share).map { Int32($0) }
      let few = try segment.block(index, rows: places, .all)
      #expect(few.count == places.count && few.kind == expected.kind)
      #expect(few.columns == (try segment.block(index, .all)).columns)
      #expect(difference(few, expected.rows, places: places) == nil, "block \(index)")
    }
  }

  @Test(arguments: [1, 3])
  func `Consecutive rows anywhere in a block equal its rows`(share: Int) throws {
    var maker = SegmentMaker(seed: 78)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    var random = Seeded(state: UInt64(share))
    for (index, expected) in maker.expected.enumerated() {
      let count = expected.rows.count
      for _ in 0..<20 {
        let first = random.below(count)
        let places = stride(from: first, through: first + random.below(count - first), by: share)
          .map { Int32($0) }
        let few = try segment.block(index, rows: places, .all)
        #expect(few.count == places.count)
        #expect(difference(few, expected.rows, places: places) == nil, "block \(index)")
      }
    }
  }

  @Test func `Header, counts, settings and zones equal those written`() throws {
    var maker = SegmentMaker(seed: 7)
    let file = try maker.make(SegmentMaker.large)
    // Another table: numbers differ, names do not.
    let symbols = SymbolTable()
    _ = symbols.intern("something else")
    let segment = try Segment(file: file, name: "s", symbols: symbols)
    #expect(segment.header == maker.header)
    #expect(segment.settings == maker.settings)
    #expect(segment.fileSize == file.bytes.count)
    #expect(segment.sampleCount == 4096 + 4096 + 1 + 1 + 3500)
    #expect(segment.deletionCount == 700 + 516)
    #expect(segment.rowCount == segment.sampleCount + segment.deletionCount)
    let heartRate = symbols.intern("heart rate")
    let subject = symbols.intern("subject")
    let key = SeriesKey(subject: subject, type: heartRate)
    #expect(segment.series(key, .sample)?.blocks == 0..<3)
    #expect(segment.series(key, .deletion)?.blocks == 6..<7)
    #expect(segment.series(SeriesKey(subject: heartRate, type: heartRate), .sample) == nil)
    let counts = (0..<segment.seriesCount).map { segment.series($0).rows.count }
    #expect(counts == [8193, 1, 3500, 700, 516])
    let zone = segment.zone(0)
    let rows = maker.expected[0].rows
    #expect(zone.count == 4096)
    #expect(zone.minStart == rows.start.min())
    #expect(zone.maxEnd == rows.end.max())
    #expect(zone.minValue == rows.value.min())
    #expect(zone.maxValue == rows.value.max())
    #expect(zone.sum == rows.value.reduce(0, +))
    #expect(zone.minSequence == rows.sequence.min())
    #expect(zone.maxSequence == rows.sequence.max())
    #expect(zone.unit == symbols.intern("unit"))
    #expect(zone.source == nil)
    #expect(segment.zone(4).unit == nil)
    #expect(segment.firstRow(ofBlock: 2) == 8192)
    #expect(segment.locate(row: 8191) == (1, 4095))
    #expect(segment.locate(row: 8192) == (2, 0))
    #expect(segment.locate(row: segment.rowCount - 1) == (8, 512))
  }

  @Test func `Samples are found by identifier, deletions and absent identifiers are not`() throws {
    var maker = SegmentMaker(seed: 8)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    for (index, expected) in maker.expected.enumerated() {
      for (row, id) in expected.rows.id.enumerated() {
        let found = try segment.find(id)
        if expected.kind == .sample {
          #expect(try #require(found) == (index, row))
        } else {
          #expect(found == nil)
        }
      }
    }
    var random = Seeded(state: 9)
    for turn in 0..<2000 {
      #expect(try segment.find(random.identifier(random: turn % 2 == 0)) == nil)
    }
  }

  @Test func `A batch of identifiers returns the first that is present`() throws {
    var maker = SegmentMaker(seed: 10)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    var random = Seeded(state: 11)
    var strangers = (0..<1000).map { _ in random.identifier() }
    #expect(try strangers.withUnsafeBufferPointer { try segment.firstMatch(in: $0) } == nil)
    for place in [999, 500, 17, 16, 15, 0] {
      strangers[place] = maker.expected[1].rows.id[place]
      #expect(try strangers.withUnsafeBufferPointer { try segment.firstMatch(in: $0) } == place)
    }
    // A deletion's identifier is free again.
    strangers = maker.expected[6].rows.id
    #expect(try strangers.withUnsafeBufferPointer { try segment.firstMatch(in: $0) } == nil)
    #expect(try [].withUnsafeBufferPointer { try segment.firstMatch(in: $0) } == nil)
  }

  @Test func `Samples are found by sync identifier`() throws {
    var maker = SegmentMaker(seed: 12)
    let file = try maker.make(SegmentMaker.large)
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    for number in 0..<9 {
      let name = [UInt8]("sync-\(number)".utf8)
      let key = syncKey(
        subject: [UInt8]("subject".utf8), type: [UInt8]("odd".utf8), syncIdentifier: name)
      let found = try segment.find(syncKey: key).map { "\($0)" }
      var wanted: [String] = []
      for (index, expected) in maker.expected.enumerated() where expected.kind == .sample {
        for row in 0..<expected.rows.count where expected.rows.extras[row] > 0 {
          let blob = expected.rows.blobs[Int(expected.rows.extras[row]) - 1]
          let extras = blob.withUnsafeBytes { Extras($0) }
          if extras?.syncIdentifier == name { wanted.append("\((block: index, row: row))") }
        }
      }
      #expect(!wanted.isEmpty)
      #expect(found == wanted)
    }
    #expect(try segment.find(syncKey: 12345).isEmpty)
  }

  @Test func `The sync key never changes`() {
    #expect(
      syncKey(subject: [1], type: [2, 3], syncIdentifier: [4])
        == 9_490_723_812_712_348_841)
    #expect(
      syncKey(subject: [1], type: [2], syncIdentifier: [3, 4])
        != syncKey(subject: [1], type: [2, 3], syncIdentifier: [4]))
  }

  @Test func `An intact segment verifies without a report`() throws {
    var maker = SegmentMaker(seed: 13)
    for shape in [SegmentMaker.large, SegmentMaker.small, []] {
      let file = try maker.make(shape)
      let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
      var reports: [String] = []
      segment.verify { reports.append("\($0): \($1)") }
      #expect(reports == [])
    }
  }

  @Test func `An empty segment has no rows and finds none`() throws {
    var maker = SegmentMaker(seed: 14)
    let file = try maker.make([])
    let segment = try Segment(file: file, name: "s", symbols: maker.symbols)
    #expect(segment.rowCount == 0)
    #expect(try segment.find(Identifier(high: 1, low: 2)) == nil)
    #expect(try segment.find(syncKey: 1).isEmpty)
  }

  @Test func `Rows that are unsorted or out of range are refused`() throws {
    var maker = SegmentMaker(seed: 15)
    let writer = try SegmentWriter(
      file: SegmentTestFile(), header: maker.header, symbols: maker.symbols)
    var rows = maker.rows(10, kind: .sample, from: 700_000_000, wild: false)
    rows.start.swapAt(0, 9)
    #expect(throws: StoreError.self) {
      try writer.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), rows)
    }
    rows.start.swapAt(0, 9)
    rows.sequence[3] = 5
    #expect(throws: StoreError.self) {
      try writer.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), rows)
    }
    #expect(throws: StoreError.self) {
      try writer.add(BlockKey(SeriesKey(subject: 1, type: 1), .sample), RowColumns())
    }
  }
}
