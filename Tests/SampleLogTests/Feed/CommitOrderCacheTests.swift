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
    let all = try cache.order(segment, nil)
    let first = try cache.order(segment, hearts)
    #expect(try cache.order(segment, hearts) === first)
    #expect(try cache.order(segment, nil) === all)
    let second = try cache.order(segment, steps)
    #expect(second.entries.count == 50)
    #expect(try cache.order(segment, nil) === all)
    #expect(try cache.order(segment, steps) === second)
    #expect(try cache.order(segment, hearts) !== first)
  }
}
