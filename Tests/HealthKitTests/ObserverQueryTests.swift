import HealthKit
import Testing

@Suite struct ObserverQueryTests {
  let store = HKHealthStore.inMemory()

  @Test func `an observer is called on execution, on saving and on deleting`() async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, completion, error in
      continuation.yield(error == nil)
      completion()
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == true)
    let sample = beat(60)
    try await store.save(sample)
    #expect(await iterator.next() == true)
    try await store.delete(sample)
    #expect(await iterator.next() == true)
    store.stop(query)
  }

  @Test func `an observer is called only for samples that match its predicate`() async throws {
    let fast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 100))
    let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
    let store = store
    let query = HKObserverQuery(sampleType: heartRate, predicate: fast) { query, completion, _ in
      nonisolated(unsafe) let completion = completion
      let read = HKSampleQuery(
        sampleType: heartRate, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
      ) { _, samples, _ in
        continuation.yield(samples?.count ?? -1)
        completion()
      }
      store.execute(read)
    }
    store.execute(query)
    var iterator = counts.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    try await store.save(beat(60))
    try await store.save(beat(61, 1))
    try await store.save(beat(160, 2))
    // A notification of one of the first two saves would yield a count below 3 first.
    #expect(await iterator.next() == 3)
    store.stop(query)
  }

  @Test func `an observer of several types receives the changed ones`() async throws {
    let (changes, continuation) = AsyncStream.makeStream(of: Set<HKSampleType>.self)
    let query = HKObserverQuery(
      queryDescriptors: [
        HKQueryDescriptor(sampleType: heartRate, predicate: nil),
        HKQueryDescriptor(sampleType: steps, predicate: nil),
      ]
    ) { _, types, completion, error in
      continuation.yield(types ?? [])
      completion()
    }
    store.execute(query)
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == [heartRate, steps])
    try await store.save(walk(10))
    #expect(await iterator.next() == [steps])
    store.stop(query)
  }

  @Test func `changes during a call cause exactly one more`() async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
    let gate = DispatchSemaphore(value: 0)
    let number = Counter()
    let query = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, completion, _ in
      let call = number.next()
      continuation.yield(call)
      if call == 1 { gate.wait() }
      completion()
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    for offset in 0..<5 { try await store.save(beat(60, Double(offset))) }
    gate.signal()
    #expect(await iterator.next() == 2)
    try await store.save(beat(60, 6))
    // The third call is for the last save, because the five before it caused one.
    #expect(await iterator.next() == 3)
    store.stop(query)
    #expect(number.value == 3)
  }

  @Test func `a subclass of an observer is executed like any other`() async throws {
    final class NamedObserver: HKObserverQuery, @unchecked Sendable {
      override init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler:
          @escaping @Sendable (
            HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
          ) -> Void
      ) {
        super.init(sampleType: sampleType, predicate: predicate, updateHandler: updateHandler)
      }
    }
    await confirmation { called in
      await withCheckedContinuation { continuation in
        let query = NamedObserver(sampleType: heartRate, predicate: nil) { [store] query, _, _ in
          if query is NamedObserver { called() }
          store.stop(query)
          continuation.resume()
        }
        store.execute(query)
      }
    }
  }
}

/// Counts calls from any thread.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}
