import SampleLogSimulation
import Testing

@testable import SampleLog

/// Descending orders, and the newest row of a series, which is their first.
@Suite struct DescendingOrderTests {
  /// Saves samples of two people with few distinct dates in three segments and the log, and deletes
  /// some.
  private func makeDatabase(seed: UInt64) throws -> (Database, [SeriesKey]) {
    let database = try Database.inMemory { $0.blockRowCount = 8 }
    let keys = ["ada", "bob"].map { database.key("heartRate", subject: $0) }
    var random = Seeded(seed)
    var ids: [Identifier] = []
    for round in 0..<4 {
      for number in 0..<30 {
        let start = Double(random.below(20))
        ids.append(
          try database.save(
            subject: ["ada", "bob"][random.below(2)], start: start,
            end: start + Double(random.below(3)), value: Double(number)))
      }
      if round < 3 { try database.seal() }
    }
    for id in ids where random.oneIn(5) { try database.delete(id) }
    return (database, keys)
  }

  private var filters: [RowFilter] {
    var (starts, ends, values) = (RowFilter(), RowFilter(), RowFilter())
    starts.start = Bounds(lower: 4, upper: 17)
    ends.end = .below(16)
    values.require(value: .through(20))
    return [RowFilter(), starts, ends, values]
  }

  @Test(arguments: 1...UInt64(Trials.count(20, quick: 4)))
  func `A descending order is the reverse of the ascending one, with equal dates and any limit`(
    seed: UInt64
  ) throws {
    let (database, keys) = try makeDatabase(seed: seed)
    let snapshot = database.snapshot()
    for series in [[keys[0]], [keys[1]], keys] {
      for filter in filters {
        for order in [RowOrder.start(ascending: true), .end(ascending: true)] {
          let isByStart = order == .start(ascending: true)
          let rising = try snapshot.select(series, where: filter, order: order)
          func date(_ row: Row) -> Double { isByStart ? row.start : row.end }
          let sorted = rising.sorted { (date($0), $0.sequence) < (date($1), $1.sequence) }
          #expect(rising.count > 5 && rising.map(\.sequence) == sorted.map(\.sequence))
          let falling = isByStart ? RowOrder.start(ascending: false) : .end(ascending: false)
          let reversed = rising.map(\.sequence).reversed()
          for limit in [nil, 1, 2, 5, 40] {
            let found = try snapshot.select(series, where: filter, order: falling, limit: limit)
            #expect(found.map(\.sequence) == Array(reversed.prefix(limit ?? .max)))
          }
        }
      }
    }
  }

  @Test(arguments: [[], [3], [1, 2, 3], [1, 2], [2]])
  func `Of samples with equal start dates, the first is the one saved last`(seals: [Int]) throws {
    let database = try Database.inMemory()
    var ids: [Identifier] = []
    for number in 1...3 {
      // Another person's sample begins later in each block.
      try database.save(subject: "bob", start: 9)
      ids.append(try database.save(start: 5))
      try database.save(start: 1)
      if seals.contains(number) { try database.seal() }
    }
    let key = database.key("heartRate")
    let order = RowOrder.start(ascending: false)
    for id in ids.reversed() {
      let snapshot = database.snapshot()
      #expect(try snapshot.select([key], order: order, limit: 1).map(\.id) == [id])
      #expect(try snapshot.newest(key)?.id == id)
      try database.delete(id)
    }
    #expect(try database.snapshot().newest(key)?.start == 1)
  }

  /// Returns the start date of the newest sample that satisfies a filter.
  private func newest(
    _ snapshot: Snapshot, _ key: SeriesKey, where filter: RowFilter = RowFilter()
  ) throws -> Double? {
    let found = try snapshot.select(
      [key], where: filter, order: .start(ascending: false), limit: 1)
    #expect(found.count <= 1)
    if filter.isTrivial { #expect(try snapshot.newest(key)?.sequence == found.first?.sequence) }
    return found.first?.start
  }

  @Test(arguments: [true, false])
  func `A filter that excludes the newest sample gives the next one`(isSealed: Bool) throws {
    let database = try Database.inMemory()
    let first = try database.save(start: 1, end: 2, value: 10, source: "phone")
    try database.save(start: 3, end: 9, value: 20, source: "watch")
    if isSealed { try database.seal() }
    let key = database.key("heartRate")
    let snapshot = database.snapshot()
    let phone = database.symbols.intern("phone")
    let changes: [(inout RowFilter) -> Void] = [
      { $0.start = .below(3) }, { $0.end = .below(9) }, { $0.require(value: .through(10)) },
      { $0.source = { $0 == phone } }, { $0.ids = [first] }, { $0.require { $0.value < 20 } },
    ]
    for change in changes {
      var filter = RowFilter()
      change(&filter)
      #expect(try newest(snapshot, key, where: filter) == 1)
    }
    var all = RowFilter()
    (all.start, all.end) = (.through(3), .through(9))
    all.source = { _ in true }
    #expect(try newest(snapshot, key, where: all) == 3)
    all.start = .below(1)
    #expect(try newest(snapshot, key, where: all) == nil)
  }

  @Test func `An error that a condition throws ends the search for the newest sample`() throws {
    struct Failure: Error {}
    let database = try Database.inMemory()
    try database.save()
    var filter = RowFilter()
    filter.require { _ in throw Failure() }
    #expect(throws: Failure.self) {
      try newest(database.snapshot(), database.key("heartRate"), where: filter)
    }
  }

  @Test func `A snapshot's newest sample is of its own time`() throws {
    let database = try Database.inMemory()
    let key = database.key("heartRate")
    let before = database.snapshot()
    #expect(try newest(before, key) == nil)
    try database.save(start: 2)
    let id = try database.save(start: 4)
    let middle = database.snapshot()
    try database.save(start: 6)
    try database.delete(id)
    #expect(try newest(before, key) == nil)
    #expect(try newest(middle, key) == 4)
    #expect(try newest(database.snapshot(), key) == 6)
    try database.seal()
    #expect(try newest(middle, key) == 4)
    #expect(try newest(database.snapshot(), database.key("heartRate", subject: "bob")) == nil)
  }

  @Test func `A later date in a shared block does not hide the newest sample of a person`() throws {
    let database = try Database.inMemory()
    let key = database.key("heartRate")
    try database.save(start: 100)
    try database.seal()
    try database.save(start: 50)
    try database.save(subject: "bob", start: 200)
    try database.seal()
    #expect(try newest(database.snapshot(), key) == 100)
    let last = try database.save(start: 100)
    try database.save(subject: "bob", start: 300)
    try database.seal()
    #expect(try database.snapshot().newest(key)?.id == last)
    try database.delete(last)
    #expect(try newest(database.snapshot(), key) == 100)
  }

  /// Opens a copy of a store in which a byte of a block differs.
  private func damaged(
    _ files: MemoryFileSystem, segment: Int, block: Int
  ) throws -> Database {
    let files = files.copy()
    let whole = try Database.inMemory(files, mode: .readOnly)
    let found = try #require(whole.snapshot().segments.dropFirst(segment).first)
    let at = found.directory.bytes(block).lowerBound
    let file = try files.open("store/" + found.name, .update)
    let byte = try #require(try file.bytes(1, at: at))[0] ^ 0xFF
    try [byte].withUnsafeBytes { try file.write($0, at: at) }
    return try Database.inMemory(files, mode: .readOnly)
  }

  @Test func `Damage in a block is reported only if the newest sample may be in it`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files) { $0.blockRowCount = 4 }
    for start in 0..<8 { try database.save(start: Double(start)) }
    try database.seal()
    for start in 100..<108 { try database.save(start: Double(start)) }
    try database.seal()
    try database.save(start: 50)
    try database.save(subject: "bob", start: 60)
    try database.seal()
    try database.close()
    var early = RowFilter()
    early.start = .below(104)
    for (segment, block) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)] {
      let database = try damaged(files, segment: segment, block: block)
      let (snapshot, key) = (database.snapshot(), database.key("heartRate"))
      func read(_ filter: RowFilter) throws -> Double? {
        do {
          return try newest(snapshot, key, where: filter)
        } catch StoreError.damaged {
          return nil
        }
      }
      #expect(try read(RowFilter()) == ((segment, block) == (1, 1) ? nil : 107))
      #expect(try read(early) == ((segment, block) == (1, 0) ? nil : 103))
    }
  }
}
