import Dispatch
import Foundation
import Testing

@testable import HealthStore

/// Handlers may block, even on the work of other handlers.
@Suite struct StoreHandlerTests {
  private let store = HKHealthStore.inMemory()

  @Test func `completion handlers that wait for other saves end, however many there are`()
    async throws
  {
    let meeting = Meeting(of: 1000)
    let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
    for number in 0..<1000 {
      store.save(try heartBeat(60, at: Double(number))) { success, _ in
        meeting.wait()
        continuation.yield(success)
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<1000 { #expect(await iterator.next() == true) }
  }

  @Test func `results handlers that wait for other queries end, however many there are`()
    async throws
  {
    try await store.save(heartBeat(60))
    let meeting = Meeting(of: 400)
    let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<400 {
      let query = HKSampleQuery(
        sampleType: testHeartRate, predicate: nil, limit: HKObjectQueryNoLimit,
        sortDescriptors: nil
      ) { _, samples, _ in
        meeting.wait()
        continuation.yield(samples?.count ?? -1)
      }
      store.execute(query)
    }
    var iterator = counts.makeAsyncIterator()
    for _ in 0..<400 { #expect(await iterator.next() == 1) }
  }

  @Test func `a handler may save and wait for it`() async throws {
    let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
    let store = store
    for number in 0..<200 {
      let second = try heartBeat(61, at: Double(number) + 0.5)
      store.save(try heartBeat(60, at: Double(number))) { _, _ in
        let done = DispatchSemaphore(value: 0)
        store.save(second) { _, _ in done.signal() }
        done.wait()
        continuation.yield(true)
      }
    }
    var iterator = ends.makeAsyncIterator()
    for _ in 0..<200 { #expect(await iterator.next() == true) }
    #expect(try await store.beats().count == 400)
  }
}
