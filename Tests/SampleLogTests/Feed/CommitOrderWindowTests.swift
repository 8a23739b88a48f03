import Foundation
@testable import SampleLog
import SampleLogSimulation
import Testing

/// Feeds and streams of samples that were committed out of chronological order.
@Suite struct CommitOrderWindowTests {
  /// All fields of a change, including a deletion's.
  private struct Contents: Equatable {
    var sample: Model.Record
    var kind: RowKind
    var unit: String
    var device: String
    var target: UInt64
    var time: Double

    init(_ row: Row) {
      let (block, place) = (row.block, row.row)
      sample = Model.Record(row)
      kind = block.kind
      unit = block.symbols.text(block.unit[place])
      device = block.symbols.text(block.device[place])
      target = kind == .deletion ? block.target[place] : 0
      time = kind == .deletion ? block.time[place] : 0
    }
  }

  private let types = ["heartRate", "steps", "glucose"]
  private static let count = 1200

  /// Opens a store with small blocks and a cache of a few hundred rows.
  private func open(cache rows: Int = 400, block: Int = 4) throws -> Database {
    try .inMemory {
      $0.blockRowCount = block
      $0.blockCacheByteCount = rows * BlockCache.bytesPerRow
    }
  }

  /// Saves samples and deletes every tenth, sealing four times in between.
  private func fill(
    _ database: Database, isShuffled: Bool, count: Int = CommitOrderWindowTests.count
  ) throws {
    var random = Seeded(7)
    var starts = (0..<count).map { Double($0 / 2) }
    if isShuffled { starts.shuffle(using: &random) }
    let symbols = database.symbols
    for part in 0..<4 {
      var batch = Batch()
      var ids: [Identifier] = []
      for number in part * count / 4..<(part + 1) * count / 4 {
        var extras = Extras()
        if number % 3 == 0 { extras.metadata = Array("metadata \(number % 17)".utf8) }
        let id = Identifier(UUID())
        ids.append(id)
        batch.add(
          subject: symbols.intern("ada"), type: symbols.intern(types[number % 3]), id: id,
          start: starts[number], end: starts[number] + 1, value: Double(number),
          unit: symbols.intern("unit \(number % 2)"), source: symbols.intern("source"),
          device: symbols.intern("device \(number % 5)"),
          extras: extras.metadata.isEmpty ? 0 : batch.intern(extras: extras.encoded))
      }
      try database.commit(batch)
      var deletions = Batch()
      for index in stride(from: 0, to: ids.count, by: 10) { deletions.delete(ids[index]) }
      try database.commit(deletions)
      if part < 3 { try database.seal() }
    }
  }

  private func feed(
    _ snapshot: Snapshot, after anchor: Anchor = .beginning, type: String? = nil,
    where filter: RowFilter = RowFilter(), limit: Int?, _ database: Database
  ) throws -> [Contents] {
    var rows: [Contents] = []
    var anchor = anchor
    while true {
      let page = try snapshot.changes(
        after: anchor, in: type.map { [database.key($0)] }, where: filter, limit: limit)
      rows += page.changes.map { Contents($0.row) }
      anchor = page.anchor
      if !page.hasMore { return rows }
    }
  }

  private func needsCopy(_ snapshot: Snapshot) throws -> [Bool] {
    try snapshot.segments.map {
      try snapshot.caches.commitOrders.order($0, nil, snapshot.symbols).needsCopy
    }
  }

  @Test(arguments: [1, 7, 1000, nil])
  func `Compaction does not change a feed of unordered samples`(limit: Int?) throws {
    let database = try open()
    try fill(database, isShuffled: true)
    let before = database.snapshot()
    let all = try feed(before, limit: nil, database)
    #expect(all.count == Self.count)
    try database.compact()
    let after = database.snapshot()
    #expect(try needsCopy(after) == [true])
    #expect(try feed(after, limit: limit, database) == all)
    let anchors: [UInt64] = [1200, 1319, 1320, 1, 299, 300, 301, 750]
    // Many pages take long.
    for anchor in limit == 1 ? Trials.first(3, of: anchors) : anchors {
      let expected = all.filter { $0.sample.sequence > anchor }
      #expect(try feed(after, after: Anchor(sequence: anchor), limit: limit, database) == expected)
    }
    for type in types {
      let expected = all.filter { $0.sample.type == type }
      #expect(try feed(after, type: type, limit: limit, database) == expected)
    }
  }

  @Test(arguments: [40, 12_000])
  func `A window has the rows of its positions, gathered or from whole blocks`(count: Int) throws {
    let database = try open(block: 512)
    try fill(database, isShuffled: true, count: 24_000)
    try database.compact()
    let snapshot = database.snapshot()
    let segment = try #require(snapshot.segments.first)
    let order = try snapshot.caches.commitOrders.order(segment, nil, snapshot.symbols)
    let range = 5000..<5000 + count
    let window = try CommitOrderWindow(segment, order, range)
    let rows = CommitOrderPage(window, range, without: nil).copied()
    let blocks = try (0..<segment.blockCount).map { try segment.block($0, .all) }
    let isPicked = range.map { place in
      let (block, row) = segment.locate(row: CommitOrder.row(order.entries[place]))
      let expected = Contents(Row(blocks[block], row))
      #expect(Contents(rows[place - range.lowerBound]) == expected)
      return Segment.isPicked(
        max(1, count / segment.blockCount), of: segment.directory.rows(block))
    }
    #expect(isPicked.contains(true) == (count == 40))
  }

  @Test(arguments: [4, 64, 1024])
  func `The block of each row is found among blocks of any size`(size: Int) throws {
    let database = try open(block: size)
    try fill(database, isShuffled: true, count: 3000)
    try database.compact()
    let segment = try #require(database.snapshot().segments.first)
    let locator = BlockLocator(segment)
    for block in 0..<segment.blockCount {
      for row in 0..<segment.directory.rows(block) {
        let found = locator.locate(segment.firstRow(ofBlock: block) + row)
        #expect(found == (block, row))
      }
    }
  }

  @Test func `A later deletion removes its sample from an unordered feed`() throws {
    let database = try open()
    try fill(database, isShuffled: true)
    try database.compact()
    let gone = try feed(database.snapshot(), limit: nil, database).first { $0.kind == .sample }
    let sample = try #require(gone).sample
    try database.delete(sample.id)
    let rows = try feed(database.snapshot(), limit: 100, database).filter {
      $0.sample.id == sample.id
    }
    #expect(rows.map(\.kind) == [.deletion])
  }

  @Test(arguments: [false, true])
  func `Only samples out of chronological order are copied out of their blocks`(isShuffled: Bool)
    throws
  {
    let database = try open(block: 64)
    try fill(database, isShuffled: isShuffled, count: 12_000)
    try database.compact()
    #expect(try needsCopy(database.snapshot()) == [isShuffled])
  }

  @Test func `The rows of a half unordered segment are copied`() throws {
    let database = try open(block: 64)
    var random = Seeded(3)
    let late = (6000..<12_000).map { Double($0) }.shuffled(using: &random)
    var batch = Batch()
    for start in (0..<6000).map({ Double($0) }) + late {
      batch.add(
        subject: database.symbols.intern("ada"), type: database.symbols.intern("steps"),
        id: Identifier(UUID()), start: start, end: start, value: 1, unit: 1, source: 1, device: 0,
        extras: 0)
    }
    try database.commit(batch)
    try database.seal()
    #expect(try needsCopy(database.snapshot()) == [true])
  }

  @Test(arguments: [1, 7, 1000, nil])
  func `A filtered feed of unordered samples equals the filtered full feed`(limit: Int?) throws {
    let database = try open()
    try fill(database, isShuffled: true)
    try database.compact()
    let snapshot = database.snapshot()
    #expect(try needsCopy(snapshot) == [true])
    var filter = RowFilter()
    filter.start = Bounds.from(100).intersection(.below(160))
    let all = try feed(snapshot, limit: nil, database)
    let expected = all.filter { 100..<160 ~= $0.sample.start }
    #expect(try feed(snapshot, where: filter, limit: limit, database) == expected)
    #expect(expected.count == 120)
  }

  @Test func `A filtered page of unordered samples that is exactly full has more`() throws {
    let database = try open()
    try fill(database, isShuffled: true)
    try database.compact()
    let snapshot = database.snapshot()
    #expect(try needsCopy(snapshot) == [true])
    let all = try feed(snapshot, limit: nil, database)
    // The first hundred rows match, without ten deleted samples. Their deletions follow much later.
    var filter = RowFilter()
    filter.value = { _ in .below(100) }
    let expected = all.filter { $0.sample.value < 100 }
    let first = try snapshot.changes(after: .beginning, where: filter, limit: 90)
    #expect(first.hasMore && first.changes.map { Contents($0.row) } == Array(expected[..<90]))
    let rest = try snapshot.changes(after: first.anchor, where: filter, limit: 10)
    #expect(!rest.hasMore && rest.changes.map { Contents($0.row) } == Array(expected[90...]))
    #expect(rest.changes.allSatisfy { $0.kind == .deletion })
  }

  @Test func `A page of thousands of series has each row in its own series`() throws {
    let database = try open(block: 4)
    var random = Seeded(5)
    var batch = Batch()
    for number in (0..<9000).shuffled(using: &random) {
      batch.add(
        subject: database.symbols.intern("subject \(number % 4500)"),
        type: database.symbols.intern("steps"), id: Identifier(UUID()), start: Double(number),
        end: Double(number), value: Double(number), unit: 1, source: 1, device: 0, extras: 0)
    }
    try database.commit(batch)
    try database.seal()
    let snapshot = database.snapshot()
    #expect(try needsCopy(snapshot) == [true])
    let rows = try snapshot.changes(after: .beginning).changes.rows
    for row in rows {
      let subject = database.symbols.text(row.subject)
      #expect(subject == "subject \(Int(row.block.value[row.row]) % 4500)")
    }
    #expect(rows.map(\.sequence) == Array(1...9000))
  }

  @Test func `A reader that continues gets larger windows, within the cache's capacity`() throws {
    let (database, segment, cache) = try windows(capacity: 40_000)
    let order = try cache.order(segment, nil, database.symbols)
    let first = try cache.window(segment, order, from: 10, wanted: 1)
    #expect(first.range == 10..<8202)
    #expect(try cache.window(segment, order, from: 8201, wanted: 1) === first)
    let second = try cache.window(segment, order, from: 8202, wanted: 1)
    #expect(second.range == 8202..<28_202)
    let last = try cache.window(segment, order, from: order.entries.count - 1, wanted: 9)
    #expect(last.range.count == 1)
    #expect(try cache.window(segment, order, from: 8202, wanted: 1) === second)
  }

  @Test func `Readers of different feeds do not evict each other's windows`() throws {
    let (database, segment, cache) = try windows(capacity: 20_000)
    let series =
      [nil]
      + segment.series.keys.prefix(3).map { [$0.series] }
    let feeds = try series.map { try cache.order(segment, $0, database.symbols) }
    var places = feeds.map { _ in 0 }
    for _ in 0..<3 {
      let windows = try zip(feeds, places).map {
        try cache.window(segment, $0, from: $1, wanted: 1)
      }
      for (feed, window) in zip(feeds, windows) {
        let place = window.range.lowerBound
        #expect(try cache.window(segment, feed, from: place, wanted: 1) === window)
      }
      places = windows.map { min($0.range.upperBound, $0.order.entries.count - 1) }
    }
  }

  /// Creates a segment of 30,000 unordered rows.
  private func windows(capacity: Int) throws -> (Database, Segment, CommitOrderCache) {
    let database = try open(block: 512)
    try fill(database, isShuffled: true, count: 30_000)
    try database.compact()
    let segment = try #require(database.snapshot().segments.first)
    let cache = CommitOrderCache(capacity: 1 << 20, windowCapacity: capacity)
    return (database, segment, cache)
  }

  @Test func `Overlapping segments are streamed in order, chunk by chunk`() throws {
    let database = try open()
    try fill(database, isShuffled: true)
    try database.seal()
    let key = database.key("heartRate")
    let expected = try database.snapshot().select([key], order: .start(ascending: true)).map(
      Contents.init)
    var streamed: [Contents] = []
    var most = 0
    try database.snapshot().stream([key]) { rows in
      streamed += rows.map(Contents.init)
      most = max(most, rows.count)
      return true
    }
    #expect(streamed == expected && streamed.count == Self.count * 3 / 10)
    // A few blocks of four rows from each of four segments.
    #expect(most <= 64)
  }
}
