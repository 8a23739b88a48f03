import HealthKit
import Testing

/// The article "Executing Observer Queries" without background delivery, sentence by sentence in
/// our own words.
@Suite struct ArticlesObserverTests {
  let store = HKHealthStore.inMemory()
  private let stepType: HKQuantityType

  init() throws {
    stepType = try #require(HKObjectType.quantityType(forIdentifier: .stepCount))
  }

  /// Observes steps, and yields the result of `body` for each call.
  private func observe<Value: Sendable>(
    _ predicate: NSPredicate? = nil, _ body: @escaping @Sendable ((any Error)?) -> Value
  ) -> (HKObserverQuery, AsyncStream<Value>, AsyncStream<Value>.Continuation) {
    let (calls, continuation) = AsyncStream.makeStream(of: Value.self)
    let query = HKObserverQuery(sampleType: stepType, predicate: predicate) { _, _, error in
      continuation.yield(body(error))
    }
    store.execute(query)
    return (query, calls, continuation)
  }

  @Test func `an observer is called for each saved and each deleted sample of its type`()
    async throws
  {
    let number = Counter()
    let (query, calls, continuation) = observe { _ in number.next() }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    let sample = walk(1)
    try await store.save(sample)
    #expect(await iterator.next() == 2)
    try await store.save(beat(60))
    try await store.delete(sample)
    #expect(await iterator.next() == 3)
    store.stop(query)
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `a call has no data, and the handler reads it with other queries`() async throws {
    let (query, calls, continuation) = observe { [store, stepType] _ in
      Task { try await store.samples(stepType).counts }
    }
    var iterator = calls.makeAsyncIterator()
    #expect(try await iterator.next()?.value == [])
    try await store.save(walk(7))
    #expect(try await iterator.next()?.value == [7])
    store.stop(query)
    continuation.finish()
  }

  @Test func `a failed observer is called with an error`() async throws {
    let (_, calls, continuation) = observe { ($0 as? HKError)?.code }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    try await store.close()
    #expect(await iterator.next() == .errorDatabaseInaccessible)
    continuation.finish()
  }

  @Test func `the handler runs in the background`() async throws {
    let (query, calls, continuation) = observe { _ in Thread.isMainThread }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == false)
    store.stop(query)
    continuation.finish()
  }

  @Test func `a stopped observer is not called again`() async throws {
    let number = Counter()
    let (query, calls, continuation) = observe { _ in number.next() }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    store.stop(query)
    let (other, otherCalls, otherContinuation) = observe { _ in true }
    var otherIterator = otherCalls.makeAsyncIterator()
    _ = await otherIterator.next()
    try await store.save(walk(1))
    _ = await otherIterator.next()
    #expect(number.value == 1)
    store.stop(other)
    continuation.finish()
    otherContinuation.finish()
  }
}
