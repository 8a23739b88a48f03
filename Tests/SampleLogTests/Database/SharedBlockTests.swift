import SampleLogSimulation
import Testing

@testable import SampleLog

/// People whose rows share blocks: each query returns all rows of its person and no others.
@Suite struct SharedBlockTests {
  private static let subjects = 60
  private static let types = ["heartRate", "stepCount", "walk"]
  private static let streams = (1...2).map {
    IdentifierStream(high: $0 << 20, key: Identifier(high: $0, low: 7))
  }

  private struct Record {
    var key: SeriesKey
    var id: Identifier
    var sequence: UInt64
    var start: Double
    var end: Double
    var value: Double
    var source: Symbol
    var name: [UInt8]
    var isDeleted = false
  }

  /// A store and its expected contents.
  private struct Store {
    var database: Database
    var records: [Record] = []
    var random: Seeded
    var hasStreams: Bool

    func live(_ key: SeriesKey) -> [Record] {
      records.filter { $0.key == key && !$0.isDeleted }
    }

    func anyKey(_ random: inout Seeded) -> SeriesKey {
      database.key(
        types[random.below(types.count)], subject: "person \(random.below(subjects + 1))")
    }
  }

  /// Fills a store from uploads of a few rows each, in random order of people, with deletions.
  ///
  /// With an even seed, the identifiers belong to streams that the store knows.
  private func makeStore(seed: UInt64, blockRowCount: Int) throws -> Store {
    let database = try Database.inMemory { $0.blockRowCount = blockRowCount }
    for stream in Self.streams { database.symbols.streams.add(stream) }
    var store = Store(
      database: database, random: Seeded(seed), hasStreams: seed % 2 == 0)
    for round in 0..<6 {
      for _ in 0..<40 {
        var batch = Batch()
        let first = store.records.count
        let key = database.key(
          Self.types[store.random.below(3)],
          subject: "person \(store.random.below(Self.subjects))")
        for _ in 0..<1 + store.random.below(round % 2 == 0 ? 4 : 30) {
          add(to: &batch, key, &store)
        }
        var sequence = try #require(try database.commit(batch).sequences).lowerBound
        for index in first..<store.records.count {
          store.records[index].sequence = sequence
          sequence += 1
        }
      }
      var deletions = Batch()
      for _ in 0..<12 {
        let index = store.random.below(store.records.count)
        if store.records[index].isDeleted { continue }
        store.records[index].isDeleted = true
        deletions.delete(store.records[index].id)
      }
      try database.commit(deletions)
      if round < 5 { try database.seal() }
      if round == 2 { try database.compact() }
    }
    return store
  }

  private func add(to batch: inout Batch, _ key: SeriesKey, _ store: inout Store) {
    let number = store.records.count
    let start = Double(store.random.below(5000))
    var extras = Extras()
    if number % 7 == 0 { extras.syncIdentifier = Array("sync \(number)".utf8) }
    let id =
      store.hasStreams
      ? Self.streams[number / 5 % 2].identifier(UInt64(number))
      : Identifier(high: store.random.next(), low: store.random.next())
    let record = Record(
      key: key, id: id, sequence: 0,
      start: start, end: start + Double(store.random.below(50)),
      value: Double(store.random.below(200)),
      source: store.database.symbols.intern("source \(store.random.below(3))"),
      name: extras.syncIdentifier)
    batch.add(
      subject: key.subject, type: key.type, id: record.id, start: record.start, end: record.end,
      value: record.value, unit: store.database.symbols.intern("count"), source: record.source,
      extras: batch.intern(extras: extras.encoded))
    store.records.append(record)
  }

  @Test(arguments: [8, 64, 4096], [1, 2])
  func `Random queries find all of a person's rows and no others`(
    blockRowCount: Int, seed: UInt64
  ) throws {
    var store = try makeStore(seed: seed, blockRowCount: blockRowCount)
    let snapshot = store.database.snapshot()
    for _ in 0..<Trials.count(700, quick: 250) {
      let key = store.anyKey(&store.random)
      var filter = RowFilter()
      var expected = store.live(key)
      if store.random.below(2) == 0 {
        filter.start = Bounds.from(Double(store.random.below(5000))).intersection(
          .below(Double(store.random.below(6000))))
      }
      if store.random.below(3) == 0 { filter.end = .through(Double(store.random.below(6000))) }
      if store.random.below(3) == 0 {
        let least = Double(store.random.below(200))
        filter.value = { _ in .from(least) }
        expected.removeAll { $0.value < least }
      }
      if store.random.below(4) == 0 {
        let source = store.database.symbols.intern("source 1")
        filter.source = { $0 == source }
        expected.removeAll { $0.source != source }
      }
      expected.removeAll { !filter.start.contains($0.start) || !filter.end.contains($0.end) }
      let isAscending = store.random.below(2) == 0
      expected.sort { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
      if !isAscending { expected.reverse() }
      let limit = store.random.below(2) == 0 ? nil : 1 + store.random.below(5)
      let found = try snapshot.select(
        [key], where: filter, order: .start(ascending: isAscending), limit: limit)
      #expect(found.map(\.id) == expected.prefix(limit ?? .max).map(\.id))
      let values = try snapshot.select(
        SeriesSelection([key], where: filter), order: .start(ascending: isAscending),
        limit: limit, columns: .value)
      #expect(values.map(\.value) == expected.prefix(limit ?? .max).map(\.value))
      #expect(found.allSatisfy { $0.key == key })
      let sources = try snapshot.sources(of: SeriesSelection([key], where: filter))
      #expect(sources == Set(expected.map(\.source)))
      var scanned: [Identifier] = []
      try snapshot.scan([key], where: filter) { block, rows in
        scanned += rows.map { block.id[Int($0)] }
        return true
      }
      #expect(Set(scanned) == Set(expected.map(\.id)) && scanned.count == expected.count)
    }
  }

  @Test(arguments: [8, 4096])
  func `The newest sample, totals and names belong to the person queried`(blockRowCount: Int) throws
  {
    let store = try makeStore(seed: 5, blockRowCount: blockRowCount)
    let snapshot = store.database.snapshot()
    let boundaries = stride(from: 0.0, through: 5000, by: 500).map { $0 }
    for subject in 0...Self.subjects {
      for type in Self.types {
        let key = store.database.key(type, subject: "person \(subject)")
        let live = store.live(key)
        let newest = live.max { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
        #expect(try snapshot.newest(key)?.id == newest?.id)
        let totals = try snapshot.aggregate(
          key, boundaries: boundaries, unit: store.database.symbols.intern("count"))
        for (index, total) in totals.enumerated() {
          let inside = live.filter { Int($0.start) / 500 == index }
          #expect(total.count == inside.count && total.sum == inside.reduce(0) { $0 + $1.value })
        }
        for record in live where !record.name.isEmpty {
          #expect(try snapshot.row(key, syncIdentifier: record.name)?.id == record.id)
          let other = store.database.key(type, subject: "person \((subject + 1) % Self.subjects)")
          #expect(try snapshot.row(other, syncIdentifier: record.name) == nil)
        }
        var streamed: [UInt64] = []
        try snapshot.stream([key]) { rows in
          streamed += rows.map(\.sequence)
          return true
        }
        let expected = live.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
        #expect(streamed == expected.map(\.sequence))
      }
    }
    for record in store.records {
      let row = try snapshot.row(record.id)
      #expect((row == nil) == record.isDeleted)
      if let row { #expect(row.key == record.key && row.value == record.value) }
    }
  }

  @Test(arguments: [8, 4096], [1, 5, nil])
  func `Feeds deliver all of a person's changes in order and no others`(
    blockRowCount: Int, limit: Int?
  ) throws {
    var store = try makeStore(seed: 6, blockRowCount: blockRowCount)
    let snapshot = store.database.snapshot()
    func read(_ series: [SeriesKey]?, after first: Anchor) throws -> [Change] {
      var found: [Change] = []
      var anchor = first
      while true {
        let page = try snapshot.changes(after: anchor, in: series, limit: limit)
        found += page.changes
        anchor = page.anchor
        if !page.hasMore { return found }
      }
    }
    let everything = try read(nil, after: .beginning)
    #expect(everything.count { $0.kind == .sample } == store.records.count { !$0.isDeleted })
    let records = Dictionary(uniqueKeysWithValues: store.records.map { ($0.id, $0) })
    for change in everything { #expect(records[change.row.id]?.key == change.row.key) }
    for _ in 0..<Trials.count(40, quick: 15) {
      let keys = Array(Set([store.anyKey(&store.random), store.anyKey(&store.random)]))
      let start = UInt64(store.random.below(Int(snapshot.end)))
      let anchor = try snapshot.changes(after: .beginning, in: keys, limit: 1 + Int(start % 3))
        .anchor
      for first in [Anchor.beginning, anchor] {
        let found = try read(keys, after: first)
        let expected = everything.filter {
          keys.contains($0.row.key) && $0.sequence > first.sequence
        }
        #expect(found.map(\.sequence) == expected.map(\.sequence))
        #expect(found.map(\.row.id) == expected.map(\.row.id))
      }
      let last = everything.last { $0.row.key == keys[0] }?.sequence ?? 0
      #expect(!snapshot.hasChanges(in: keys[0], after: last))
      if last > 0 { #expect(snapshot.hasChanges(in: keys[0], after: last - 1)) }
    }
  }

  @Test func `Subjects whose names share a prefix are found, and their names are written once`()
    throws
  {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    let names = (0..<3000).map { "a rather long name that all people share \($0)" } + ["", "a"]
    for name in names {
      try database.save("heartRate", subject: name, value: Double(name.utf8.count))
    }
    try database.seal()
    let segment = try #require(database.snapshot().segments.first)
    #expect(segment.blockCount == 1)
    #expect(segment.footer[.symbols].length < 30_000)
    try database.checkInvariants()
    try database.close()
    let again = try Database.inMemory(files)
    for name in names {
      let row = try #require(try again.snapshot().newest(again.key("heartRate", subject: name)))
      #expect(row.value == Double(name.utf8.count))
    }
  }
}
