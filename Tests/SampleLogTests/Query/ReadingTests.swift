import FoundationEssentials
import SampleLog
import Testing

/// The ways of reading rows agree with each other.
@Suite struct ReadingTests {
  /// Creates forty series of thirty samples each, half of them sealed, each fifth sample deleted.
  private func makeDatabase() throws -> (Database, keys: [SeriesKey], ids: [Identifier]) {
    let database = try Database.inMemory()
    let keys = (0..<40).map { database.key("type\($0)") }
    var ids: [Identifier] = []
    for round in 0..<30 {
      for (index, key) in keys.enumerated() {
        let start = Double((index * 7919 + round * 104_729) % 10_000)
        ids.append(
          try database.save(database.symbols.text(key.type), start: start, value: Double(round)))
      }
      if round == 15 { try database.seal() }
    }
    for (index, id) in ids.enumerated() where index % 5 == 0 { try database.delete(id) }
    return (database, keys, ids)
  }

  @Test func `Scanning, enumerating and selecting give the same rows`() throws {
    let (database, keys, ids) = try makeDatabase()
    let snapshot = database.snapshot()
    var filter = RowFilter()
    filter.ids = Set(ids[100..<700])
    for filter in [RowFilter(), filter] {
      let selected = try snapshot.select(keys, where: filter, order: .start(ascending: true))
      let expected = Set(selected.map(\.id))
      #expect(selected.count == (filter.ids == nil ? 960 : 480))
      var walked: [Identifier] = []
      selected.forEachRow { block, row in walked.append(block.id[row]) }
      #expect(walked == selected.map(\.id))
      for series in [keys, nil] {
        var scanned: [Identifier] = []
        try snapshot.scan(series, where: filter) { block, places in
          scanned += places.map { block.id[Int($0)] }
          return true
        }
        #expect(scanned.count == expected.count)
        #expect(Set(scanned) == expected)
      }
      var calls = 0
      try snapshot.scan(keys, where: filter) { _, _ in
        calls += 1
        return false
      }
      #expect(calls == 1)
    }
  }

  @Test(arguments: [1, 3, 9, 400])
  func `A limit over many series gives the first rows of all`(limit: Int) throws {
    let (database, keys, _) = try makeDatabase()
    let snapshot = database.snapshot()
    let orders: [RowOrder] = [
      .start(ascending: true), .start(ascending: false), .end(ascending: true),
      .end(ascending: false),
    ]
    for order in orders {
      let all = try snapshot.select(keys, order: order).map(\.id)
      let few = try snapshot.select(keys, order: order, limit: limit)
      #expect(few.map(\.id) == Array(all.prefix(limit)))
    }
  }

  @Test func `An average is of the existing rows, and nil without rows`() throws {
    let (database, keys, _) = try makeDatabase()
    let snapshot = database.snapshot()
    let unit = database.symbols.intern("count/min")
    let key = keys[3]
    let values = try snapshot.select([key]).map(\.value)
    let aggregate = try snapshot.aggregate(key, boundaries: [0, 10_000, 20_000], unit: unit)
    #expect(aggregate.map(\.count) == [values.count, 0])
    #expect(aggregate[0].average == values.reduce(0, +) / Double(values.count))
    #expect(aggregate[1].average == nil)
    #expect(try snapshot.aggregate(key, boundaries: [5], unit: unit) == [])
    #expect(database.symbols.find(Array("type3".utf8)) == key.type)
    #expect(database.symbols.find(Array("no name of anything".utf8)) == nil)
  }
}
