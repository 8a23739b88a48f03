import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Closing a store during other work.
@Suite struct StoreClosingTests {
  @Test func `closing ends a compaction instead of waiting for it`() async throws {
    let directory = StoreDirectory()
    defer { withExtendedLifetime(directory) {} }
    let closing = Locked<(@Sendable () -> Void)?>(nil)
    var options = Database.Options()
    options.sealsInBackground = false
    // A compaction calls the clock when it begins, before it has read everything.
    options.clock = {
      closing.withLock { $0.take() }?()
      return 0
    }
    let registry = StoreRegistry(clock: ManualClock().clock)
    let store = try registry.open(directory.url, options: options)
    let handle = HKHealthStore(location: .open(store), subject: "")
    for number in 0..<2 {
      try await handle.save(heartBeat(60, at: Double(number)))
      try store.database.seal()
    }
    let ended = DispatchGroup()
    closing.withLock {
      $0 = {
        ended.enter()
        Thread.detachNewThread {
          do { try store.close() } catch { Issue.record(error) }
          ended.leave()
        }
        while !store.isClosed { sched_yield() }
      }
    }
    let error = await #expect(throws: HKError.self) { try await handle.compact() }
    #expect(error?.userInfo[NSUnderlyingErrorKey] as? StoreError == .closed)
    await withCheckedContinuation { continuation in
      ended.notify(queue: .global()) { continuation.resume() }
    }
    let again = try registry.open(directory.url)
    #expect(try again.database.statistics().segmentCount == 2)
  }
}
