import Testing

@testable import SampleLog

/// The caching of commit orders.
@Suite struct ArrivalCacheTests {
  @Test func `The cache keeps the most recently used orders within its capacity`() throws {
    let database = try Database.inMemory()
    for number in 0..<100 {
      try database.save(number % 2 == 0 ? "heartRate" : "stepCount", start: Double(number))
    }
    try database.seal()
    let segment = try #require(database.snapshot().segments.first)
    let cache = ArrivalCache(capacity: 150, windowCapacity: 1)
    let (hearts, steps) = ([database.key("heartRate")], [database.key("stepCount")])
    let all = try cache.arrivals(segment, nil)
    let first = try cache.arrivals(segment, hearts)
    #expect(try cache.arrivals(segment, hearts) === first)
    #expect(try cache.arrivals(segment, nil) === all)
    let second = try cache.arrivals(segment, steps)
    #expect(second.entries.count == 50)
    #expect(try cache.arrivals(segment, nil) === all)
    #expect(try cache.arrivals(segment, steps) === second)
    #expect(try cache.arrivals(segment, hearts) !== first)
  }
}
