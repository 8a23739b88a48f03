import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// The times at which a read-only store polls for commits of other processes.
@Suite struct StoreRefresherTests {
  private let directory = StoreDirectory()
  private let clock = ManualClock()
  private let writer: HKHealthStore
  private let reader: HKHealthStore
  private let calls: AsyncStream<HKError?>
  private let observer: HKObserverQuery

  init() throws {
    writer = try HKHealthStore(directory: directory.url)
    var options = Database.Options()
    options.refreshInterval = .seconds(10)
    let store = try StoreRegistry(clock: clock.clock).open(
      directory.url, mode: .readOnly, options: options)
    reader = HKHealthStore(location: .open(store), subject: "")
    let (calls, continuation) = AsyncStream.makeStream(of: HKError?.self)
    self.calls = calls
    observer = HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, error in
      continuation.yield(error as? HKError)
    }
  }

  @Test func `a store polls only while a query waits`() async throws {
    #expect(clock.pendingCount == 0)
    reader.execute(observer)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    #expect(clock.pendingCount == 1)
    let end = try reader.location.open().database.end
    try await writer.save(heartBeat(60))
    clock.advance(by: 9.9)
    guard case .open(let store) = reader.location else { return }
    #expect(store.database.end == end)
    clock.advance(by: 0.1)
    #expect(store.database.end == end + 1)
    #expect(await iterator.next() == .some(nil))
    let second = HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, _ in }
    reader.execute(second)
    second.execution.settle()
    #expect(clock.pendingCount == 1, "one timer serves all queries")
    reader.stop(observer)
    reader.stop(second)
    clock.advance(by: 10)
    #expect(clock.pendingCount == 0)
  }

  @Test func `queries that begin after a pause are polled again`() async throws {
    reader.execute(observer)
    observer.execution.settle()
    reader.stop(observer)
    clock.advance(by: 10)
    let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
    let next = HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, _ in
      continuation.yield()
    }
    reader.execute(next)
    var iterator = calls.makeAsyncIterator()
    _ = await iterator.next()
    try await writer.save(heartBeat(60))
    clock.advance(by: 10)
    #expect(await iterator.next() != nil)
    reader.stop(next)
  }

  @Test func `a query whose store cannot be read further ends with the reason`() async throws {
    reader.execute(observer)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try await writer.close()
    try FileManager.default.removeItem(at: directory.url)
    clock.advance(by: 10)
    let error = try #require(await iterator.next() ?? nil)
    #expect(error.code == .errorDatabaseInaccessible)
    let cause = error.userInfo[NSUnderlyingErrorKey] as? StoreError
    #expect(cause == .notAStore(path: directory.url.path))
    clock.advance(by: 10)
    #expect(clock.pendingCount == 0)
  }

  @Test func `a query whose directory holds another store ends with a replacement error`()
    async throws
  {
    reader.execute(observer)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try await writer.close()
    try FileManager.default.removeItem(at: directory.url)
    let other = try Database(path: directory.url.path)
    clock.advance(by: 10)
    let error = try #require(await iterator.next() ?? nil)
    let replaced = StoreError.replaced(path: directory.url.path)
    #expect(error.userInfo[NSUnderlyingErrorKey] as? StoreError == replaced)
    let read = await #expect(throws: HKError.self) { try await reader.beats() }
    #expect(read?.userInfo[NSUnderlyingErrorKey] as? StoreError == replaced)
    try other.close()
  }

  @Test func `a read-only store refuses every write`() async throws {
    let sample = try heartBeat(60)
    try await writer.save(sample)
    let reader = reader
    let works: [() async throws -> Void] = [
      { try await reader.save(heartBeat(61)) }, { try await reader.save([]) },
      { try await reader.delete(sample) }, { try await reader.compact() },
      { try await reader.deleteObjects(of: testSteps, predicate: NSPredicate(value: true)) },
      { try await reader.deleteExpired(ExpiryPolicy(otherTypes: 0)) },
      { try await reader.flush() },
    ]
    for work in works {
      let error = await #expect(throws: HKError.self) { try await work() }
      #expect(error?.code == .errorDatabaseInaccessible)
      #expect(error?.userInfo[NSUnderlyingErrorKey] as? StoreError == .readOnly)
    }
    #expect(try await reader.beats() == [60])
    try await reader.close()
    #expect(try await writer.beats() == [60])
  }
}
