import HealthKit
import Testing

/// HealthKit's documented behaviour of statistics, sentence by sentence.
@Suite struct StatisticsQueryTests {
  let store = HKHealthStore.inMemory()

  private func statistics(
    _ type: HKQuantityType, _ options: HKStatisticsOptions, predicate: NSPredicate? = nil
  ) async throws -> HKStatistics? {
    try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: type, predicate: predicate), options: options
    ).result(for: store)
  }

  @Test func `a query computes the sum of a cumulative type`() async throws {
    try await store.save([walk(100), walk(50, 60), beat(60)])
    let found = try await store.statistics(steps, .cumulativeSum)
    #expect(found.sumQuantity()?.doubleValue(for: .count()) == 150)
    #expect(found.quantityType == steps)
  }

  @Test func `several discrete options combine`() async throws {
    try await store.save([beat(60), beat(90, 1), beat(66, 2)])
    let found = try await store.statistics(
      heartRate, [.discreteAverage, .discreteMin, .discreteMax, .mostRecent])
    #expect(found.averageQuantity()?.doubleValue(for: beatsPerMinute) == 72)
    #expect(found.minimumQuantity()?.doubleValue(for: beatsPerMinute) == 60)
    #expect(found.maximumQuantity()?.doubleValue(for: beatsPerMinute) == 90)
    #expect(found.mostRecentQuantity()?.doubleValue(for: beatsPerMinute) == 66)
  }

  @Test func `a value that was not requested is nil`() async throws {
    try await store.save([walk(100), beat(60)])
    let sum = try await store.statistics(steps, .mostRecent)
    #expect(sum.sumQuantity() == nil && sum.duration() == nil && sum.averageQuantity() == nil)
    let average = try await store.statistics(heartRate, .discreteMin)
    #expect(average.averageQuantity() == nil && average.mostRecentQuantity() == nil)
    #expect(average.minimumQuantity() != nil)
  }

  @Test func `the dates are those of the earliest and the latest matching sample`() async throws {
    try await store.save([walk(1), walk(1, 500), walk(1, 5_000)])
    let predicate = HKQuery.predicateForSamples(
      withStart: nil, end: start.addingTimeInterval(600), options: [])
    let found = try #require(try await statistics(steps, .cumulativeSum, predicate: predicate))
    #expect(found.startDate == start)
    #expect(found.endDate == start.addingTimeInterval(560))
  }

  @Test func `a sample across the predicate's edge counts in full`() async throws {
    try await store.save(walk(100, -30))
    let predicate = HKQuery.predicateForSamples(withStart: start, end: nil, options: [])
    let found = try await statistics(steps, .cumulativeSum, predicate: predicate)
    #expect(found?.sumQuantity()?.doubleValue(for: .count()) == 100)
    #expect(found?.startDate == start.addingTimeInterval(-30))
  }

  @Test func `sources and their values are present only with separateBySource`() async throws {
    let watch = HKSource(name: "Watch", bundleIdentifier: "com.apple.watch")
    let phone = HKSource(name: "Phone", bundleIdentifier: "com.apple.phone")
    try await store.save([
      try minute(100, from: watch, product: "Watch7,1"),
      try minute(80, from: phone, product: "iPhone15,2"),
    ])
    let plain = try await store.statistics(steps, .cumulativeSum)
    #expect(plain.sources == nil && plain.sumQuantity(for: watch) == nil)
    #expect(plain.sumQuantity()?.doubleValue(for: .count()) == 100)
    let separate = try await store.statistics(steps, [.cumulativeSum, .separateBySource])
    #expect(separate.sources == [phone, watch])
    #expect(separate.sumQuantity(for: watch)?.doubleValue(for: .count()) == 100)
    #expect(separate.sumQuantity(for: phone)?.doubleValue(for: .count()) == 80)
    #expect(separate.sumQuantity()?.doubleValue(for: .count()) == 100)
  }

  @Test func `user entries precede a Watch, and a Watch precedes an iPhone`()
    async throws
  {
    let watch = HKSource(name: "Watch", bundleIdentifier: "c")
    let phone = HKSource(name: "Phone", bundleIdentifier: "b")
    let app = HKSource(name: "App", bundleIdentifier: "a")
    let samples = [
      try minute(1, from: app, product: nil), try minute(2, from: phone, product: "iPhone15,2"),
      try minute(4, from: watch, product: "Watch7,1"),
      try minute(8, from: app, product: nil, metadata: [HKMetadataKeyWasUserEntered: true]),
    ]
    for (sample, expected) in zip(samples, [1.0, 2, 4, 9]) {
      try await store.save(sample)
      let found = try await store.statistics(steps, .cumulativeSum)
      // All samples of the source with the highest priority add up.
      #expect(found.sumQuantity()?.doubleValue(for: .count()) == expected)
    }
  }

  @Test func `the duration is the time covered by samples`() async throws {
    try await store.save([walk(1), walk(1, 30), walk(1, 300)])
    let found = try await store.statistics(steps, .duration)
    #expect(found.duration()?.doubleValue(for: .second()) == 150)
  }

  @Test func `units are converted, and heart rates are read back unchanged`() async throws {
    let distance = HKQuantityType(.distanceWalkingRunning)
    try await store.save(
      [(2.0, "km"), (500, "m")].enumerated().map { number, part in
        HKQuantitySample(
          type: distance, quantity: HKQuantity(unit: HKUnit(from: part.1), doubleValue: part.0),
          start: start.addingTimeInterval(Double(number)),
          end: start.addingTimeInterval(Double(number) + 1))
      })
    let sum = try await store.statistics(distance, .cumulativeSum).sumQuantity()
    #expect(sum?.doubleValue(for: .meter()) == 2_500)
    try await store.save(beat(72.1))
    let average = try await store.statistics(heartRate, .discreteAverage).averageQuantity()
    #expect(average?.doubleValue(for: beatsPerMinute) == 72.1)
  }

  @Test func `sound levels are averaged by their energy`() async throws {
    let noise = HKQuantityType(.environmentalAudioExposure)
    let decibels = HKUnit.decibelAWeightedSoundPressureLevel()
    try await store.save(
      [60.0, 80].enumerated().map { number, level in
        HKQuantitySample(
          type: noise, quantity: HKQuantity(unit: decibels, doubleValue: level),
          start: start.addingTimeInterval(Double(number) * 60),
          end: start.addingTimeInterval(Double(number) * 60 + 60))
      })
    let found = try await store.statistics(noise, .discreteAverage).averageQuantity()
    let expected = 10 * log10((1e6 + 1e8) / 2)
    #expect(abs((found?.doubleValue(for: decibels) ?? 0) - expected) < 1e-9)
  }

  @Test func `no matching sample is errorNoData in a query and nil in a descriptor`() async throws {
    try await store.save(beat(60))
    #expect(try await statistics(steps, .cumulativeSum) == nil)
    let error = await #expect(throws: HKError.self) {
      try await store.statistics(steps, .cumulativeSum)
    }
    #expect(error?.code == .errorNoData)
    #expect(HKError.Code.errorNoData.rawValue == 11)
    let never = HKQuery.predicateForObjects(with: [])
    #expect(try await statistics(heartRate, .discreteMax, predicate: never) == nil)
  }

  @Test func `a deleted sample does not count`() async throws {
    let samples = [walk(1), walk(2, 60)]
    try await store.save(samples)
    try await store.delete(samples[0])
    let found = try await store.statistics(steps, .cumulativeSum)
    #expect(found.sumQuantity()?.doubleValue(for: .count()) == 2)
    #expect(found.startDate == start.addingTimeInterval(60))
  }

  @Test func `samples of other subjects do not count`() async throws {
    let directory = TemporaryDirectory()
    let ada = try HKHealthStore(directory: directory.url, subject: "ada")
    let grace = try HKHealthStore(directory: directory.url, subject: "grace")
    try await ada.save(walk(1))
    try await grace.save(walk(2))
    let found = try await ada.statistics(steps, .cumulativeSum)
    #expect(found.sumQuantity()?.doubleValue(for: .count()) == 1)
  }

  @Test func `an option that the type does not allow traps`()
    async
  {
    await #expect(processExitsWith: .failure) {
      _ = HKStatisticsQuery(
        quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
        options: .discreteAverage
      ) { _, _, _ in }
    }
    #expect(throws: HKStatisticsError.self) {
      try HKStatisticsOptions.cumulativeSum.validated(for: heartRate)
    }
  }

  @Test func `a closed store is an error`() async throws {
    let directory = TemporaryDirectory()
    let store = try HKHealthStore(directory: directory.url)
    try await store.close()
    let error = await #expect(throws: HKError.self) {
      try await store.statistics(steps, .cumulativeSum)
    }
    #expect(error?.code == .errorDatabaseInaccessible)
  }
}
