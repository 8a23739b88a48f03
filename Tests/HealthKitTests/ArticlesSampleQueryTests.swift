import HealthKit
import Testing

/// The article "Executing Sample Queries", sentence by sentence in our own words.
@Suite struct ArticlesSampleQueryTests {
  let store = HKHealthStore.inMemory()
  private let energy: HKQuantityType

  init() throws {
    energy = try #require(
      HKSampleType.quantityType(forIdentifier: HKQuantityTypeIdentifier.dietaryEnergyConsumed))
  }

  private func meal(_ kilocalories: Double, _ offset: TimeInterval = 0) -> HKQuantitySample {
    HKQuantitySample(
      type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset))
  }

  private func kilocalories(_ samples: [HKSample]) -> [Double] {
    samples.compactMap {
      ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .kilocalorie())
    }
  }

  @Test func `a query returns all samples of its own type and no others`() async throws {
    try await store.save([meal(100), meal(200, 10), beat(60), walk(3)])
    let found = try await store.samples(energy, limit: Int(HKObjectQueryNoLimit))
    #expect(kilocalories(found) == [100, 200])
    #expect(found is [HKQuantitySample])
  }

  @Test func `a failed query returns nil results and an error`() async throws {
    try await store.close()
    let (hasResults, error) = await withCheckedContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: energy, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
      ) { _, results, error in
        continuation.resume(returning: (results as? [HKQuantitySample] != nil, error))
      }
      store.execute(query)
    }
    #expect(!hasResults)
    #expect((error as? HKError)?.code == .errorDatabaseInaccessible)
  }

  @Test func `the handler runs in the background and may switch to the main queue`()
    async throws
  {
    try await store.save(meal(100))
    let isMain = await withCheckedContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: energy, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
      ) { _, _, _ in
        let isMain = Thread.isMainThread
        DispatchQueue.main.async {
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.resume(returning: isMain)
        }
      }
      store.execute(query)
    }
    #expect(!isMain)
  }

  @Test func `a query runs when it is executed, and calls its handler once`() async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: String.self)
    func query(_ name: String) -> HKSampleQuery {
      HKSampleQuery(
        sampleType: energy, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
      ) { _, _, _ in continuation.yield(name) }
    }
    let (never, once) = (query("never"), query("once"))
    store.execute(once)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == "once")
    try await store.save(meal(100))
    _ = try await store.samples(energy)
    store.stop(never)
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `a predicate restricts results to the samples of a day`() async throws {
    let calendar = Calendar.current
    let components = calendar.dateComponents([.year, .month, .day], from: start)
    let midnight = try #require(calendar.date(from: components))
    let next = try #require(calendar.date(byAdding: .day, value: 1, to: midnight))
    try await store.save([
      meal(1, midnight.timeIntervalSince(start) - 1), meal(2, midnight.timeIntervalSince(start)),
      meal(3, next.timeIntervalSince(start)),
    ])
    let today = HKQuery.predicateForSamples(withStart: midnight, end: next, options: [])
    #expect(kilocalories(try await store.samples(energy, predicate: today)) == [2])
  }

  @Test func `sort descriptors order samples, and a limit keeps the first of them`()
    async throws
  {
    try await store.save([meal(1, 20), meal(2, 0), meal(3, 10)])
    let byStart = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
    let byEnd = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
    #expect(kilocalories(try await store.samples(energy, sort: [byStart])) == [2, 3, 1])
    #expect(kilocalories(try await store.samples(energy, limit: 2, sort: [byEnd])) == [1, 3])
  }

  @Test func `several sort descriptors apply one after the other`() async throws {
    let short = meal(1)
    let long = HKQuantitySample(
      type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 2), start: start,
      end: start.addingTimeInterval(60))
    try await store.save([short, long, meal(3, -10)])
    let sort = [
      NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true),
      NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false),
    ]
    #expect(kilocalories(try await store.samples(energy, sort: sort)) == [3, 2, 1])
  }
}
