import Testing

@testable import SampleLog

/// The caching of commit orders.
@Suite struct CommitOrderCacheTests {
  @Test func `The cache keeps the most recently used orders within its capacity`() throws {
    let database = try Database.inMemory()
    for number in 0..<100 {
      try database.save(number % 2 == 0 ? "heartRate" : "stepCount", start: Double(number))
    }
    try database.seal()
    let segment = try #require(database.snapshot().segments.first)
    let cache = CommitOrderCache(capacity: 150, windowCapacity: 1)
    let (hearts, steps) = ([database.key("heartRate")], [database.key("stepCount")])
    let all = try cache.order(segment, nil, database.symbols)
    let first = try cache.order(segment, hearts, database.symbols)
    #expect(try cache.order(segment, hearts, database.symbols) === first)
    #expect(try cache.order(segment, nil, database.symbols) === all)
    let second = try cache.order(segment, steps, database.symbols)
    #expect(second.entries.count == 50)
    #expect(try cache.order(segment, nil, database.symbols) === all)
    #expect(try cache.order(segment, steps, database.symbols) === second)
    #expect(try cache.order(segment, hearts, database.symbols) !== first)
  }

  @Test func `A symbol that is reused for another subject does not find the earlier order`() throws
  {
    let files = MemoryFileSystem()
    let writer = try Database.inMemory(files)
    try writer.save("heartRate", subject: "ada", start: 1)
    for number in 0..<100 { try writer.save("stepCount", subject: "\(number)", start: 1) }
    try writer.seal()
    try writer.close()
    // Subjects are interned when their blocks are read, or an eighth of them has been looked up.
    let database = try Database.inMemory(files)
    let segment = try #require(database.snapshot().segments.first)
    let cache = CommitOrderCache(capacity: 1000, windowCapacity: 1)
    let known = database.key("heartRate", subject: "ada")
    let steps = database.symbols.intern("stepCount")
    func order(and subject: String) throws -> (CommitOrder, Symbol) {
      let lease = SymbolLease(database.symbols)
      defer { withExtendedLifetime(lease) {} }
      let other = SeriesKey(subject: lease.symbol(subject), type: steps)
      let order = try cache.order(segment, [known, other], database.symbols)
      #expect(try cache.order(segment, [known, other], database.symbols) === order)
      return (order, other.subject)
    }
    let (absent, symbol) = try order(and: "bob")
    #expect(absent.entries.count == 1)
    let (present, reused) = try order(and: "2")
    #expect(reused == symbol)
    #expect(present.entries.count == 2)
  }
}
