import Foundation
import SampleLog
import Synchronization
import Testing

@testable import HealthStore

@Suite struct QueriesLifeTests {
  let store = HKHealthStore.inMemory()

  @Test func `executing a query twice traps with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = HKHealthStore.inMemory()
      let query = HKSampleQuery(
        sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1, sortDescriptors: nil
      ) { _, _, _ in }
      store.execute(query)
      store.execute(query)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("executed a second time"))
  }

  @Test func `an update handler on a query with a limit traps`() async {
    await #expect(processExitsWith: .failure) {
      let query = HKAnchoredObjectQuery(
        type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: 10
      ) { _, _, _, _, _ in }
      query.updateHandler = { _, _, _, _, _ in }
    }
  }

  @Test func `a query that was stopped before execution can be executed`() async throws {
    let store = store
    try await store.save(heartBeat(60))
    let count = await withCheckedContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: testHeartRate, predicate: nil, limit: 0, sortDescriptors: nil
      ) { _, samples, _ in continuation.resume(returning: samples?.count) }
      store.stop(query)
      store.execute(query)
    }
    #expect(count == 1)
  }

  @Test func `stopping a finished query does nothing`() async throws {
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let query = HKSampleQuery(
      sampleType: testHeartRate, predicate: nil, limit: 0, sortDescriptors: nil
    ) { _, _, _ in continuation.yield() }
    store.execute(query)
    var iterator = done.makeAsyncIterator()
    _ = await iterator.next()
    store.stop(query)
    store.stop(query)
  }

  @Test func `handlers of one query are called one at a time and in order`() async throws {
    let depth = Atomic(0)
    let deepest = Atomic(0)
    let (values, continuation) = AsyncStream.makeStream(of: [Double].self)
    let handler: HKAnchoredObjectQuery.Handler = { _, samples, _, _, _ in
      let now = depth.add(1, ordering: .sequentiallyConsistent).newValue
      deepest.max(now, ordering: .sequentiallyConsistent)
      continuation.yield((samples ?? []).compactMap { ($0 as? HKQuantitySample)?.quantity.value })
      depth.subtract(1, ordering: .sequentiallyConsistent)
    }
    let query = HKAnchoredObjectQuery(
      type: testHeartRate, predicate: nil, anchor: nil, limit: 0, resultsHandler: handler)
    query.updateHandler = handler
    store.execute(query)
    for number in 0..<50 { try await store.save(heartBeat(Double(number), at: -Double(number))) }
    var seen: [Double] = []
    for await batch in values {
      seen += batch
      if seen.count == 50 { break }
    }
    store.stop(query)
    #expect(seen == (0..<50).map(Double.init))
    #expect(deepest.load(ordering: .sequentiallyConsistent) == 1)
  }

  @Test func `a handler that stops its query is not called again`() async throws {
    let calls = Atomic(0)
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let store = store
    let query = HKObserverQuery(sampleType: testHeartRate, predicate: nil) { query, _, _ in
      calls.add(1, ordering: .sequentiallyConsistent)
      store.stop(query)
      continuation.yield()
    }
    store.execute(query)
    var iterator = done.makeAsyncIterator()
    _ = await iterator.next()
    try await store.save(heartBeat(60))
    // The query's queue is serial, so the work caused by the save is done after this.
    query.execution.settle()
    #expect(calls.load(ordering: .sequentiallyConsistent) == 1)
  }

  @Test func `a query on a store that cannot be opened returns nil and an error`() async throws {
    let closed = HKHealthStore.inMemory()
    try await closed.save(heartBeat(60))
    try await closed.close()
    let (samples, error): ([HKSample]?, (any Error)?) = await withCheckedContinuation {
      continuation in
      closed.execute(
        HKSampleQuery(
          sampleType: testHeartRate, predicate: nil, limit: 0, sortDescriptors: nil
        ) { _, samples, error in continuation.resume(returning: (samples, error)) })
    }
    #expect(samples == nil)
    #expect((error as? HKError)?.code == .errorDatabaseInaccessible)
  }

  @Test func `closing the store notifies a running query once`() async throws {
    let (errors, continuation) = AsyncStream.makeStream(of: HKError.Code?.self)
    let query = HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, error in
      continuation.yield((error as? HKError)?.code)
    }
    store.execute(query)
    var iterator = errors.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try await store.close()
    #expect(await iterator.next() == .errorDatabaseInaccessible)
  }

  @Test func `closing a database ends the queries of its stores`() async throws {
    let database = try Database(path: "store", fileSystem: MemoryFileSystem())
    let borrower = HKHealthStore(database: database)
    let (errors, continuation) = AsyncStream.makeStream(of: HKError.Code?.self)
    borrower.execute(
      HKObserverQuery(sampleType: testHeartRate, predicate: nil) { _, _, error in
        continuation.yield((error as? HKError)?.code)
      })
    var iterator = errors.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try database.close()
    #expect(await iterator.next() == .errorDatabaseInaccessible)
  }

  @Test func `several sort terms apply one after the other`() async throws {
    try await store.save([
      heartBeat(70, at: 1), heartBeat(60, at: 2), heartBeat(60, at: 1), heartBeat(70, at: 2),
    ])
    let found = try await store.read(
      .quantitySample(type: testHeartRate),
      sort: [SortDescriptor(\.startDate, order: .reverse), SortDescriptor(\.quantity.value)])
    #expect(found.map(\.quantity.value) == [60, 70, 60, 70])
    #expect(found.first?.startDate == testStart.addingTimeInterval(2))
  }

  @Test func `a query descriptor survives archiving unless it has a predicate`() throws {
    func again(_ descriptor: HKQueryDescriptor) throws -> HKQueryDescriptor? {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: descriptor, requiringSecureCoding: true)
      return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryDescriptor.self, from: data)
    }
    let plain = HKQueryDescriptor(sampleType: testHeartRate, predicate: nil)
    #expect(try again(plain) == plain)
    let limited = HKQueryDescriptor(
      sampleType: testHeartRate, predicate: HKQuery.predicateForSamples(withStart: nil, end: .now))
    #expect(try again(limited) == nil)
    #expect(plain != limited)
  }
}
