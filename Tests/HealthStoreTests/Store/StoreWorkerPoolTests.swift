import Dispatch
import Foundation
import Synchronization
import Testing

@testable import HealthStore

@Suite struct StoreWorkerPoolTests {
  @Test func `as many jobs can wait at once as the maximum of threads`() async {
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
    // None of the eight can continue before all of them have arrived.
    Thread {
      for _ in 0..<8 { arrived.wait() }
      for _ in 0..<8 { gate.signal() }
    }.start()
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<8 { #expect(await iterator.next() != nil) }
  }

  @Test func `handlers that all wait for one another end, however many there are`() async {
    let pool = WorkerPool(maximum: 4)
    let meeting = Meeting(of: 1000)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<1000 {
      pool.async {
        WorkerPool.blocking { meeting.wait() }
        continuation.yield()
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<1000 { #expect(await iterator.next() != nil) }
  }

  @Test func `at most the maximum of jobs run at once alongside handlers`() async {
    let pool = WorkerPool(maximum: 4)
    let working = Atomic(0)
    let most = Atomic(0)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<2000 {
      pool.async {
        let now = working.add(1, ordering: .sequentiallyConsistent).newValue
        most.max(now, ordering: .sequentiallyConsistent)
        working.subtract(1, ordering: .sequentiallyConsistent)
        WorkerPool.blocking {}
        continuation.yield()
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<2000 { #expect(await iterator.next() != nil) }
    #expect(most.load(ordering: .sequentiallyConsistent) <= 4)
  }

  @Test func `handlers that do not wait reuse threads`() async {
    let pool = WorkerPool(maximum: 4)
    for _ in 0..<500 {
      await withCheckedContinuation { continuation in
        pool.async { WorkerPool.blocking { continuation.resume() } }
      }
    }
    // The last thread may not have returned to the pool yet when the next job arrives.
    #expect(pool.threadCount <= 4)
  }

  @Test func `handlers that return quickly start few threads, however many there are`() async {
    // No handler counts as waiting until no job has begun for an hour.
    let pool = WorkerPool(maximum: 4, watchInterval: .seconds(3600))
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<5000 {
      pool.async {
        WorkerPool.blocking { for _ in 0..<20 { sched_yield() } }
        continuation.yield()
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<5000 { #expect(await iterator.next() != nil) }
    #expect(pool.threadCount <= 4)
  }

  @Test func `the single job that another submits runs after it on the same thread`() async {
    let pool = WorkerPool(maximum: 4, watchInterval: .seconds(3600))
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      @Sendable func submit(_ count: Int) {
        pool.async { if count == 0 { continuation.resume() } else { submit(count - 1) } }
      }
      submit(100)
    }
    // There is no thread if the pool has been idle for long.
    #expect(pool.threadCount <= 1)
  }

  @Test func `two jobs that another submits do not wait for each other`() async {
    let pool = WorkerPool(maximum: 4, watchInterval: .seconds(3600))
    let meeting = Meeting(of: 2)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    pool.async {
      for _ in 0..<2 {
        pool.async {
          meeting.wait()
          continuation.yield()
        }
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<2 { #expect(await iterator.next() != nil) }
  }

  @Test(arguments: [true, false])
  func `a job may wait for one that it submitted`(inHandler: Bool) async {
    let pool = WorkerPool(maximum: 4)
    await withCheckedContinuation { continuation in
      pool.async {
        let meeting = Meeting(of: 2)
        pool.async { meeting.wait() }
        if inHandler { WorkerPool.blocking { meeting.wait() } } else { meeting.wait() }
        continuation.resume()
      }
    }
  }

  @Test func `a handler's jobs begin while it continues`() async {
    let pool = WorkerPool(maximum: 4, watchInterval: .seconds(3600))
    await withCheckedContinuation { continuation in
      pool.async {
        WorkerPool.blocking {
          let meeting = Meeting(of: 2)
          pool.async { meeting.wait() }
          meeting.wait()
        }
        continuation.resume()
      }
    }
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

/// A barrier: blocks each thread until all have arrived.
final class Meeting: Sendable {
  private let rest: Atomic<Int>
  private let gate = DispatchSemaphore(value: 0)
  private let size: Int

  init(of size: Int) {
    self.size = size
    rest = Atomic(size)
  }

  func wait() {
    let left = rest.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0 { for _ in 0..<size { gate.signal() } }
    gate.wait()
  }
}
