import Foundation
@testable import SampleLog
import Testing

/// Results that other threads prepare before they are requested.
@Suite struct ReadAheadTests {
  private struct Odd: Error, Equatable {
    var number: Int
  }

  @Test(arguments: [1, 2, 33, 500])
  func `Results arrive in the order of their items, and each item is processed once`(count: Int)
    throws
  {
    let worked = Locked([Int]())
    let ahead = ReadAhead { (number: Int) in
      worked.withLock { $0.append(number) }
      return number * 2
    }
    var next = 0
    var found: [Int] = []
    while true {
      let end = min(count, next + 7)
      ahead.add(Array(next..<end))
      next = end
      guard let result = try ahead.next() else { break }
      found.append(result)
    }
    #expect(found == (0..<count).map { $0 * 2 })
    #expect(worked.withLock { $0.sorted() } == Array(0..<count))
    #expect(ahead.count == 0)
  }

  @Test func `An error is thrown in its item's turn, and later results remain available`() throws {
    let ahead = ReadAhead { (number: Int) in
      if number == 1 { throw Odd(number: number) }
      return number
    }
    ahead.add([0, 1, 2])
    #expect(try ahead.next() == 0)
    #expect(throws: Odd(number: 1)) { try ahead.next() }
    #expect(try ahead.next() == 2)
    #expect(try ahead.next() == nil)
  }

  @Test func `The consumer processes an item if no other thread does`() throws {
    // Blocks all threads of the pool.
    let gate = DispatchSemaphore(value: 0)
    let pool = 512
    for _ in 0..<pool { DispatchQueue.global().async { gate.wait() } }
    let ahead = ReadAhead { (number: Int) in number }
    ahead.add([1, 2, 3])
    #expect(try [ahead.next(), ahead.next(), ahead.next(), ahead.next()] == [1, 2, 3, nil])
    ahead.stop()
    for _ in 0..<pool { gate.signal() }
  }

  @Test func `After a stop no thread processes further items`() {
    let worked = Locked(0)
    let ahead = ReadAhead { (_: Int) in worked.withLock { $0 += 1 } }
    ahead.add(Array(0..<10_000))
    ahead.stop()
    let count = worked.withLock { $0 }
    ahead.add(Array(0..<100))
    ahead.stop()
    #expect(worked.withLock { $0 } == count)
  }

  @Test func `A stream can be abandoned at any row`() throws {
    let database = try Database.inMemory { $0.blockRowCount = 8 }
    for value in 0..<300 { try database.save(value: Double(value)) }
    try database.seal()
    let key = database.key("heartRate")
    let all = try database.values()
    for wanted in [1, 8, 9, 150, 299, 300] {
      var found: [Double] = []
      try database.snapshot().stream([key]) { rows in
        rows.forEachRow { block, row in
          if found.count < wanted { found.append(block.value[row]) }
        }
        return found.count < wanted
      }
      #expect(found == Array(all.prefix(wanted)))
    }
  }
}
