import HealthKit
import Testing

/// Quantity samples with several values, through the public interface.
@Suite struct QuantitySeriesTests {
  typealias Descriptor = HKQuantitySeriesSampleQueryDescriptor

  let store = HKHealthStore.inMemory()

  private func builder(
    _ type: HKQuantityType, at offset: TimeInterval = 0
  ) -> HKQuantitySeriesSampleBuilder {
    HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: type, startDate: start.addingTimeInterval(offset),
      device: .local())
  }

  private func rate(_ value: Double) -> HKQuantity {
    HKQuantity(unit: beatsPerMinute, doubleValue: value)
  }

  private func date(_ offset: TimeInterval) -> Date { start.addingTimeInterval(offset) }

  /// Saves heart rates at several times as one sample.
  @discardableResult
  private func saved(_ values: [(TimeInterval, Double)]) async throws -> HKQuantitySample {
    let builder = builder(heartRate, at: values.map(\.0).min() ?? 0)
    for (offset, value) in values { try builder.insert(rate(value), at: date(offset)) }
    return try #require(try await builder.finishSeries(metadata: nil).first)
  }

  private func values(
    _ options: Descriptor.Options = [], _ predicate: NSPredicate? = nil
  ) async throws -> [Descriptor.Result] {
    var found: [Descriptor.Result] = []
    let descriptor = Descriptor(
      predicate: .quantitySample(type: heartRate, predicate: predicate), options: options)
    for try await value in descriptor.results(for: store) { found.append(value) }
    return found
  }

  private func rates(_ values: [Descriptor.Result]) -> [Double] {
    values.map { $0.quantity.doubleValue(for: beatsPerMinute) }
  }

  @Test func `A discrete series is one sample with its average, extremes and latest value`()
    async throws
  {
    let made = try await saved([(0, 60), (5, 90), (10, 66)])
    let read = try #require(try await store.samples(heartRate).first as? HKDiscreteQuantitySample)
    #expect(read == made)
    for case let sample as HKDiscreteQuantitySample in [made, read] {
      #expect(sample.count == 3)
      #expect(sample.quantity == rate(72))
      #expect(sample.averageQuantity == rate(72))
      #expect(sample.minimumQuantity == rate(60))
      #expect(sample.maximumQuantity == rate(90))
      #expect(sample.mostRecentQuantity == rate(66))
      #expect(sample.mostRecentQuantityDateInterval == DateInterval(start: date(10), duration: 0))
      #expect(sample.startDate == start)
      #expect(sample.endDate == date(10))
      #expect(sample.device == .local())
    }
  }

  @Test func `A cumulative series is one sample with its sum`() async throws {
    let builder = builder(steps)
    for minute in 0..<3 {
      try builder.insert(
        HKQuantity(unit: .count(), doubleValue: 100),
        for: DateInterval(start: date(Double(minute) * 60), duration: 60))
    }
    let samples = try await builder.finishSeries(metadata: ["note": "walk"], endDate: date(200))
    #expect(samples.count == 1)
    let read = try #require(try await store.samples(steps).first as? HKCumulativeQuantitySample)
    #expect(read.sumQuantity == HKQuantity(unit: .count(), doubleValue: 300))
    #expect(read.count == 3)
    #expect(read.endDate == date(200))
    #expect(read.metadata?["note"] as? String == "walk")
    let total = try await store.statistics(steps, .cumulativeSum).sumQuantity()
    #expect(total == HKQuantity(unit: .count(), doubleValue: 300))
  }

  @Test func `A sample of one value has a count of one and equals its extremes`() async throws {
    try await store.save(beat(61, metadata: ["note": "plain"]))
    let read = try #require(try await store.samples(heartRate).first as? HKDiscreteQuantitySample)
    #expect(read.count == 1)
    #expect(read.minimumQuantity == rate(61))
    #expect(read.mostRecentQuantityDateInterval == DateInterval(start: start, duration: 0))
  }

  @Test func `Values are delivered in order of date across overlapping samples`() async throws {
    try await saved([(0, 60), (10, 61), (20, 62)])
    try await store.save(beat(70, 5))
    try await saved([(6, 80), (15, 81)])
    #expect(rates(try await values()) == [60, 70, 80, 61, 81, 62])
    #expect(
      rates(try await values(.orderByQuantitySampleStartDate)) == [60, 61, 62, 70, 80, 81])
  }

  @Test func `A long series is delivered value by value, each with its time and sample`()
    async throws
  {
    let series = try await saved((0..<3000).map { (Double($0), Double($0 % 200)) })
    let found = try await values(.includeSample)
    #expect(rates(found) == (0..<3000).map { Double($0 % 200) })
    #expect(found.map(\.dateInterval.start) == (0..<3000).map { date(Double($0)) })
    #expect(found.allSatisfy { $0.sample == series })
    #expect(try await values().allSatisfy { $0.sample == nil })
  }

  @Test func `A query calls its handler for each value and marks the last`() async throws {
    try await saved([(0, 60), (10, 61)])
    try await store.save(beat(70, 5))
    let (calls, continuation) = AsyncThrowingStream<(Double, Bool, Bool), any Error>.makeStream()
    let query = HKQuantitySeriesSampleQuery(quantityType: heartRate, predicate: nil) {
      _, quantity, interval, sample, isDone, error in
      if let error { return continuation.finish(throwing: error) }
      if let quantity, interval != nil {
        continuation.yield((quantity.doubleValue(for: beatsPerMinute), sample != nil, isDone))
      }
      if isDone { continuation.finish() }
    }
    query.includeSample = true
    query.orderByQuantitySampleStartDate = true
    store.execute(query)
    var found: [Double] = []
    var lasts: [Bool] = []
    for try await (value, hasSample, isLast) in calls {
      found.append(value)
      lasts.append(isLast)
      #expect(hasSample)
    }
    #expect(found == [60, 61, 70])
    #expect(lasts == [false, false, true])
  }

  @Test func `A query without values reports completion once`() async throws {
    let calls = AsyncStream<Bool> { continuation in
      store.execute(
        HKQuantitySeriesSampleQuery(quantityType: heartRate, predicate: nil) {
          _, quantity, _, _, isDone, error in
          continuation.yield(quantity == nil && isDone && error == nil)
          continuation.finish()
        })
    }
    var answers: [Bool] = []
    for await answer in calls { answers.append(answer) }
    #expect(answers == [true])
  }

  @Test func `The values of one sample are delivered with their start`() async throws {
    let series = try await saved([(0, 60), (10, 61)])
    try await store.save(beat(70, 5))
    func read(_ sample: HKQuantitySample) async throws -> [Date] {
      let (calls, continuation) = AsyncThrowingStream<Date, any Error>.makeStream()
      store.execute(
        HKQuantitySeriesSampleQuery(sample: sample) { _, _, date, isDone, error in
          if let date { continuation.yield(date) }
          if isDone { continuation.finish(throwing: error) }
        })
      var found: [Date] = []
      for try await date in calls { found.append(date) }
      return found
    }
    #expect(try await read(series) == [start, date(10)])
    #expect(await code { try await read(beat(1)) } == .errorInvalidArgument)
  }

  @Test func `A predicate selects samples, not values`() async throws {
    try await saved([(0, 60), (10, 61)])
    try await store.save(beat(70, 5))
    let early = HKQuery.predicateForSamples(
      withStart: start, end: date(1), options: .strictStartDate)
    #expect(rates(try await values([], early)) == [60, 61])
  }

  @Test func `Values of another kind, without a date or before the start are refused`() throws {
    let builder = builder(heartRate)
    for (quantity, offset) in [
      (HKQuantity(unit: .meter(), doubleValue: 1), 0.0), (rate(60), -1), (rate(.nan), 1),
      (rate(60), .nan),
    ] {
      #expect(throws: HKError.self) { try builder.insert(quantity, at: date(offset)) }
    }
  }

  @Test func `A series without values, or that ends before one, is refused`() async throws {
    let empty = builder(heartRate)
    #expect(await code { try await empty.finishSeries(metadata: nil) } == .errorInvalidArgument)
    let builder = builder(heartRate)
    try builder.insert(rate(60), at: date(10))
    #expect(
      await code { try await builder.finishSeries(metadata: nil, endDate: date(9)) }
        == .errorInvalidArgument)
    #expect(try await builder.finishSeries(metadata: nil, endDate: date(11)).first?.count == 1)
    #expect(throws: HKError.self) { try builder.insert(rate(61), at: date(12)) }
    #expect(await code { try await builder.finishSeries(metadata: nil) } == .errorInvalidArgument)
  }

  @Test func `A discarded series saves nothing`() async throws {
    let builder = builder(heartRate)
    try builder.insert(rate(60), at: date(10))
    builder.discard()
    #expect(await code { try await builder.finishSeries(metadata: nil) } == .errorInvalidArgument)
    #expect(try await store.samples(heartRate).isEmpty)
  }

  @Test func `An archived series sample is restored with its count and extremes`() async throws {
    let series = try await saved([(0, 60), (10, 64)])
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: series, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKDiscreteQuantitySample.self, from: data))
    #expect(read == series)
    #expect(read.count == 2)
    #expect(read.maximumQuantity == rate(64))
  }

  @Test func `A sample of HealthKit's older class is constructed and has its sum`() {
    let sample = HKCumulativeQuantitySeriesSample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 5), start: start, end: start)
    #expect(sample.sum == HKQuantity(unit: .count(), doubleValue: 5))
    #expect(sample.count == 1)
  }
}
