import HealthKit
import Testing

/// HealthKit's documented behaviour of statistics collections, sentence by sentence.
@Suite struct StatisticsCollectionTests {
  let store = HKHealthStore.inMemory()
  private let midnight: Date
  private let berlin: Calendar

  init() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    berlin = calendar
    midnight = calendar.startOfDay(for: start)
    store.calendar = calendar
  }

  private func hourly(
    _ options: HKStatisticsOptions = .cumulativeSum, predicate: NSPredicate? = nil
  ) -> HKStatisticsCollectionQueryDescriptor {
    HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: steps, predicate: predicate), options: options,
      anchorDate: midnight, intervalComponents: DateComponents(hour: 1))
  }

  /// Steps from an hour of the day, for some seconds.
  private func walk(_ count: Double, hour: Double, for seconds: Double = 60) -> HKQuantitySample {
    HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: midnight.addingTimeInterval(hour * 3_600),
      end: midnight.addingTimeInterval(hour * 3_600 + seconds))
  }

  private func sums(_ collection: HKStatisticsCollection) -> [Double?] {
    collection.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) }
  }

  @Test func `the dates are those of the interval`() async throws {
    try await store.save(walk(5, hour: 3.5))
    let found = try await hourly().result(for: store).statistics()
    #expect(found.map(\.startDate) == [midnight.addingTimeInterval(3 * 3_600)])
    #expect(found.map(\.endDate) == [midnight.addingTimeInterval(4 * 3_600)])
  }

  @Test func `a sample across a boundary counts in proportion to its overlap`() async throws {
    try await store.save(walk(100, hour: 1.95, for: 300))
    #expect(sums(try await hourly().result(for: store)) == [60, 40])
  }

  @Test func `without strict options the outer intervals include samples across the edges`()
    async throws
  {
    try await store.save(walk(100, hour: 1.95, for: 300))
    let interval = (midnight.addingTimeInterval(7_200), midnight.addingTimeInterval(10_800))
    let loose = HKQuery.predicateForSamples(
      withStart: interval.0, end: interval.1, options: [])
    #expect(sums(try await hourly(predicate: loose).result(for: store)) == [60, 40])
    let strict = HKQuery.predicateForSamples(
      withStart: interval.0, end: interval.1, options: .strictStartDate)
    #expect(sums(try await hourly(predicate: strict).result(for: store)).isEmpty)
  }

  @Test func `an empty interval has nil quantities inside the requested range, and none outside`()
    async throws
  {
    try await store.save(walk(5, hour: 3))
    let predicate = HKQuery.predicateForSamples(
      withStart: midnight, end: midnight.addingTimeInterval(6 * 3_600), options: [])
    let found = try await hourly(predicate: predicate).result(for: store)
    let empty = try #require(found.statistics(for: midnight.addingTimeInterval(60)))
    #expect(empty.sumQuantity() == nil)
    #expect(found.statistics(for: midnight.addingTimeInterval(-60)) == nil)
    #expect(found.statistics().count == 1)
    var hours = 0
    found.enumerateStatistics(from: midnight, to: midnight.addingTimeInterval(86_400)) { _, _ in
      hours += 1
    }
    #expect(hours == 25)
  }

  @Test func `days are counted in the store's calendar unless the components have one`()
    async throws
  {
    // The clock goes forward in Berlin on 30 March 2025, a day of 23 hours.
    let day = try #require(
      berlin.date(from: DateComponents(year: 2025, month: 3, day: 30)))
    let sample = HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: day, end: day)
    try await store.save(sample)
    var descriptor = hourly()
    descriptor.anchorDate = day
    descriptor.intervalComponents = DateComponents(day: 1)
    let found = try await descriptor.result(for: store).statistics()
    #expect(found.first?.endDate == day.addingTimeInterval(23 * 3_600))
    var plain = Calendar(identifier: .gregorian)
    plain.timeZone = .gmt
    descriptor.intervalComponents = DateComponents(calendar: plain, day: 1)
    let other = try await descriptor.result(for: store).statistics()
    #expect(other.first?.endDate == day.addingTimeInterval(24 * 3_600))
  }

  @Test func `sources are empty unless separateBySource`() async throws {
    try await store.save(walk(5, hour: 3))
    #expect(try await hourly().result(for: store).sources().isEmpty)
    let separate = try await hourly([.cumulativeSum, .separateBySource]).result(for: store)
    #expect(separate.sources() == [HKSource.default()])
  }

  @Test func `the initial handler is called once, the update handler with each change`()
    async throws
  {
    let first = walk(5, hour: 3)
    try await store.save(first)
    let (calls, continuation) = AsyncStream.makeStream(of: [Double?].self)
    let query = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: midnight, intervalComponents: DateComponents(hour: 1))
    let sums = { @Sendable (collection: HKStatisticsCollection?) in
      collection?.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) } ?? []
    }
    query.initialResultsHandler = { _, collection, _ in continuation.yield(sums(collection)) }
    query.statisticsUpdateHandler = { _, statistics, collection, _ in
      continuation.yield(
        [statistics?.sumQuantity()?.doubleValue(for: .count())] + sums(collection))
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == [5])
    try await store.save([beat(60), walk(2, hour: 3.2)])
    #expect(await iterator.next() == [7, 7])
    try await store.save(walk(4, hour: 7))
    #expect(await iterator.next() == [4, 7, 4])
    try await store.delete(first)
    #expect(await iterator.next() == [2, 2, 4])
    store.stop(query)
    try await store.save(walk(1, hour: 1))
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `a query without an update handler ends after its results`() async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
    let query = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: midnight, intervalComponents: DateComponents(day: 1))
    #expect(query.anchorDate == midnight && query.options == .cumulativeSum)
    #expect(query.intervalComponents == DateComponents(day: 1))
    query.initialResultsHandler = { _, collection, error in
      continuation.yield(error == nil ? collection?.statistics().count ?? -1 : -2)
      continuation.finish()
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    #expect(await iterator.next() == nil)
  }

  @Test func `a sequence delivers the collection first, then changes`() async throws {
    try await store.save(walk(5, hour: 3))
    var results = hourly().results(for: store).makeAsyncIterator()
    let first = try #require(try await results.next())
    #expect(first.updatedStatistics == nil)
    #expect(sums(first.statisticsCollection) == [5])
    try await store.save([walk(2, hour: 4), walk(3, hour: 5)])
    let second = try #require(try await results.next())
    #expect(
      second.updatedStatistics?.map { $0.startDate.timeIntervalSince(midnight) / 3_600 }
        == [4, 5])
    #expect(sums(second.statisticsCollection) == [5, 2, 3])
  }

  @Test func `an order of sources is stored, and a running collection applies it`() async throws {
    let directory = TemporaryDirectory()
    let (one, two) = (
      HKSource(name: "One", bundleIdentifier: "one"), HKSource(name: "Two", bundleIdentifier: "two")
    )
    do {
      let database = try HealthDatabase(directory: directory.url)
      let store = database.store(subject: "ada")
      try await store.save([
        try minute(1, from: one, product: nil),
        try minute(2, from: two, product: nil),
      ])
      var results = hourly().results(for: store).makeAsyncIterator()
      #expect(sums(try #require(try await results.next()).statisticsCollection) == [1])
      try await store.setSourceOrder([two, one], for: steps)
      #expect(sums(try #require(try await results.next()).statisticsCollection) == [2])
      try database.close()
    }
    let store = try HKHealthStore(directory: directory.url, subject: "ada")
    #expect(try await store.sourceOrder(for: steps) == ["two", "one"])
    #expect(sums(try await hourly().result(for: store)) == [2])
    let other = try HKHealthStore(directory: directory.url, subject: "grace")
    #expect(try await other.sourceOrder(for: steps).isEmpty)
    try await store.setSourceOrder([], for: steps)
    #expect(sums(try await hourly().result(for: store)) == [1])
  }

  @Test func `a read-only object's running collection follows samples and an order of sources`()
    async throws
  {
    let directory = TemporaryDirectory()
    let database = try HealthDatabase(directory: directory.url)
    let writer = database.store(subject: "ada")
    let one = HKSource(name: "One", bundleIdentifier: "one")
    let two = HKSource(name: "Two", bundleIdentifier: "two")
    try await writer.save(try minute(1, from: one, product: nil))
    let reader = try HKHealthStore(directory: directory.url, mode: .readOnly, subject: "ada")
    var results = hourly().results(for: reader).makeAsyncIterator()
    #expect(sums(try #require(try await results.next()).statisticsCollection) == [1])
    try await writer.save([
      try minute(2, from: two, product: nil), walk(5, hour: 23),
    ])
    #expect(sums(try #require(try await results.next()).statisticsCollection) == [1, 5])
    try await writer.setSourceOrder([two, one], for: steps)
    #expect(sums(try #require(try await results.next()).statisticsCollection) == [2, 5])
    try database.close()
  }

  @Test(arguments: [DateComponents(day: 0), DateComponents(day: -1)])
  func `an invalid interval is refused with a message`(components: DateComponents) {
    #expect(throws: HKStatisticsError.self) {
      try HKStatisticsCollectionQuery.validate(
        quantityType: steps, options: .cumulativeSum, anchorDate: start,
        intervalComponents: components)
    }
    #expect(throws: HKStatisticsError.self) {
      try HKStatisticsCollectionQuery.validate(
        quantityType: steps, options: .discreteMax, anchorDate: start,
        intervalComponents: DateComponents(day: 1))
    }
  }

  @Test func `components of zero trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKStatisticsCollectionQuery(
        quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
        anchorDate: Date(timeIntervalSinceReferenceDate: 0),
        intervalComponents: DateComponents(day: 0))
    }
  }
}
