import Dispatch
import Foundation
import Testing

@testable import HealthStore

@Suite struct StoreWorkerPoolTests {
  @Test func `as many jobs wait at once as there may be threads`() async {
    let pool = WorkerPool(maximum: 8)
    let gate = DispatchSemaphore(value: 0)
    let arrived = DispatchSemaphore(value: 0)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<8 {
      pool.async {
        arrived.signal()
        gate.wait()
        continuation.yield()
      }
    }
    // None of the eight can go on before all of them have come.
    Thread {
      for _ in 0..<8 { arrived.wait() }
      for _ in 0..<8 { gate.signal() }
    }.start()
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<8 { #expect(await iterator.next() != nil) }
  }

  @Test func `every job runs once`() async {
    let pool = WorkerPool(maximum: 3)
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<5000 { pool.async { continuation.yield(number) } }
    var seen: Set<Int> = []
    for await number in numbers {
      #expect(seen.insert(number).inserted)
      if seen.count == 5000 { break }
    }
  }
}
