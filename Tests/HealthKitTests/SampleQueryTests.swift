import HealthKit
import Testing

@Suite struct SampleQueryTests {
  let store = HKHealthStore.inMemory()

  @Test func `a query returns the samples in the sort descriptors' order`() async throws {
    try await store.save([beat(62, 20), beat(60, 0), beat(61, 10)])
    let newestFirst = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let down = try await store.samples(heartRate, sort: [newestFirst])
    #expect(down.beats == [62, 61, 60])
    let up = try await store.samples(
      heartRate, sort: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: true)])
    #expect(up.beats == [60, 61, 62])
  }

  @Test func `the limit applies after sorting`() async throws {
    try await store.save((0..<10).map { beat(60 + Double($0), Double($0)) })
    let newest = try await store.samples(
      heartRate, limit: 1,
      sort: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)])
    #expect(newest.beats == [69])
  }

  @Test(arguments: [HKSampleSortIdentifierStartDate, HKSampleSortIdentifierEndDate])
  func `a descending order is the reverse of the ascending one, with equal dates`(key: String)
    async throws
  {
    try await store.save([beat(60, 5), beat(61, 0)])
    try await store.save([beat(62, 5), beat(63, 0), beat(64, 5)])
    func sorted(ascending: Bool, limit: Int = HKObjectQueryNoLimit) async throws -> [Double] {
      let order = NSSortDescriptor(key: key, ascending: ascending)
      return try await store.samples(heartRate, limit: limit, sort: [order]).beats
    }
    #expect(try await sorted(ascending: true) == [61, 63, 60, 62, 64])
    #expect(try await sorted(ascending: false) == [64, 62, 60, 63, 61])
    for limit in 1...4 {
      #expect(
        try await sorted(ascending: false, limit: limit)
          == Array([64, 62, 60, 63, 61].prefix(limit)))
    }
  }

  @Test func `the newest sample is the latest that exists and satisfies the predicate`()
    async throws
  {
    let newest = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
    #expect(try await newest.result(for: store) == [])
    let last = beat(70, 20)
    try await store.save([beat(60, 0), beat(90, 10), beat(80, 10), last])
    #expect(try await newest.result(for: store).beats == [70])
    var fast = newest
    fast.predicates = [
      .quantitySample(
        type: heartRate,
        predicate: HKQuery.predicateForQuantitySamples(
          with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 75)))
    ]
    #expect(try await fast.result(for: store).beats == [80])
    try await store.delete(last)
    #expect(try await newest.result(for: store).beats == [80])
  }

  @Test func `a day's samples are found by their time`() async throws {
    let calendar = Calendar.current
    let day = calendar.startOfDay(for: start)
    let next = try #require(calendar.date(byAdding: .day, value: 1, to: day))
    let offset = day.timeIntervalSince(start)
    try await store.save([
      beat(1, offset - 1), beat(2, offset), beat(3, next.timeIntervalSince(start)),
    ])
    let today = HKQuery.predicateForSamples(withStart: day, end: next, options: .strictStartDate)
    let found = try await store.samples(heartRate, predicate: today)
    #expect(found.beats == [2])
  }

  @Test func `a query without results returns an empty array and no error`() async throws {
    let found = try await store.samples(steps)
    #expect(found == [])
  }

  @Test func `results cast to arrays of their class`() async throws {
    try await store.save([beat(70)])
    let results: [HKSample]? = try await store.samples(heartRate)
    guard let samples = results as? [HKQuantitySample] else {
      Issue.record("the results are not quantity samples")
      return
    }
    #expect(samples.first?.quantity.doubleValue(for: HKUnit(from: "count/min")) == 70)
    #expect(samples.first?.sourceRevision.source == HKSource.default())
    #expect((results as? [HKCategorySample]) == nil)
  }

  @Test func `a descriptor's predicate applies to its own type alone`() async throws {
    try await store.save([beat(60), beat(90, 1), walk(10), walk(500, 1)])
    let fast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 80))
    let results: [HKSample] = try await withFencedContinuation { continuation in
      let query = HKSampleQuery(
        queryDescriptors: [
          HKQueryDescriptor(sampleType: heartRate, predicate: fast),
          HKQueryDescriptor(sampleType: steps, predicate: nil),
        ], limit: HKObjectQueryNoLimit
      ) { _, results, error in
        continuation.resume(with: error.map(Result.failure) ?? .success(results ?? []))
      }
      store.execute(query)
    }
    #expect(results.count == 3)
    #expect(results.filter { $0.sampleType == heartRate }.beats == [90])
  }

  @Test func `a sample that two descriptors admit is returned once`() async throws {
    try await store.save([beat(60), beat(90, 1)])
    let descriptor = HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: heartRate),
        .quantitySample(
          type: heartRate,
          predicate: HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 80))),
      ], sortDescriptors: [])
    #expect(try await descriptor.result(for: store).beats == [60, 90])
  }

  @Test func `a block predicate is evaluated for every sample`() async throws {
    try await store.save((0..<20).map { beat(Double(60 + $0), Double($0)) })
    let even = NSPredicate { object, _ in
      guard let sample = object as? HKQuantitySample else { return false }
      return Int(sample.quantity.doubleValue(for: beatsPerMinute)).isMultiple(of: 2)
    }
    let found = try await store.samples(heartRate, predicate: even)
    #expect(found.beats == stride(from: 60.0, to: 80, by: 2).map { $0 })
  }

  @Test func `a format predicate on metadata excludes samples entered by hand`() async throws {
    try await store.save([
      beat(60), beat(61, 1, metadata: [HKMetadataKeyWasUserEntered: true]),
      beat(62, 2, metadata: [HKMetadataKeyWasUserEntered: false]),
    ])
    let measured = NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered)
    let found = try await store.samples(heartRate, predicate: measured)
    #expect(found.beats == [60, 62])
  }

  @Test func `an unknown sort key is an error`() async {
    await #expect(throws: HKError.self) {
      try await store.samples(
        heartRate, sort: [NSSortDescriptor(key: "colour", ascending: true)])
    }
  }
}
