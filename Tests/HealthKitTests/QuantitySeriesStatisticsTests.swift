import HealthKit
import Testing

/// Statistics, predicates and workouts of samples that contain several values.
@Suite struct QuantitySeriesStatisticsTests {
  let store = HKHealthStore.inMemory()

  private func date(_ offset: TimeInterval) -> Date { start.addingTimeInterval(offset) }

  private func rate(_ value: Double) -> HKQuantity {
    HKQuantity(unit: beatsPerMinute, doubleValue: value)
  }

  /// Saves one sample with several values, each with a start and a duration.
  @discardableResult
  private func saved(
    _ type: HKQuantityType, _ unit: HKUnit, _ values: [(TimeInterval, TimeInterval, Double)],
    to end: TimeInterval? = nil
  ) async throws -> HKQuantitySample {
    let builder = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: type, startDate: date(values[0].0), device: nil)
    for (offset, length, value) in values {
      try builder.insert(
        HKQuantity(unit: unit, doubleValue: value),
        for: DateInterval(start: date(offset), duration: length))
    }
    let samples = try await builder.finishSeries(metadata: nil, endDate: end.map(date))
    return try #require(samples.first)
  }

  private func hours(
    _ type: HKQuantityType, _ options: HKStatisticsOptions
  ) async throws -> [HKStatistics] {
    try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: type), options: options, anchorDate: start,
      intervalComponents: DateComponents(hour: 1)
    ).result(for: store).statistics()
  }

  @Test func `The values of a cumulative series count in their own hours`()
    async throws
  {
    // Half of the second value is in the second hour, and the third hour is empty.
    try await saved(
      steps, .count(), [(0, 60, 10), (3_540, 120, 40), (10_800, 0, 5)], to: 14_400)
    let found = try await hours(steps, .cumulativeSum)
    #expect(found.map(\.startDate) == [date(0), date(3_600), date(10_800)])
    #expect(found.map { $0.sumQuantity()?.doubleValue(for: .count()) } == [30, 20, 5])
    let all = try await store.statistics(steps, .cumulativeSum)
    #expect(all.sumQuantity()?.doubleValue(for: .count()) == 55)
    #expect(all.endDate == date(14_400))
  }

  @Test func `The values of a discrete series have extremes and a latest value in each hour`()
    async throws
  {
    try await saved(heartRate, beatsPerMinute, [(0, 0, 60), (10, 0, 90), (3_600, 0, 50)])
    try await store.save(beat(70, 20))
    let found = try await hours(
      heartRate, [.discreteMin, .discreteMax, .discreteAverage, .mostRecent])
    #expect(found.map { $0.minimumQuantity() } == [rate(60), rate(50)])
    #expect(found.map { $0.maximumQuantity() } == [rate(90), rate(50)])
    #expect(found.first?.averageQuantity()?.doubleValue(for: beatsPerMinute) == 220.0 / 3)
    #expect(found.map { $0.mostRecentQuantity() } == [rate(70), rate(50)])
  }

  @Test func `Values of a series fill the gaps of a source with higher priority`()
    async throws
  {
    let builder = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: steps, startDate: start, device: nil)
    for minute in 0..<3 {
      try builder.insert(
        HKQuantity(unit: .count(), doubleValue: 100),
        for: DateInterval(start: date(Double(minute) * 60), duration: 60))
    }
    _ = try await builder.finishSeries(metadata: nil)
    try await store.save(
      try minute(
        30, 60, from: HKSource(name: "Watch", bundleIdentifier: "watch"), product: "Watch7,1"))
    let sum = try await store.statistics(steps, .cumulativeSum).sumQuantity()
    #expect(sum?.doubleValue(for: .count()) == 230)
  }

  @Test func `Predicates compare the count, extremes and latest value of a series`() async throws {
    let series = try await saved(
      heartRate, beatsPerMinute, [(0, 0, 60), (10, 5, 90), (20, 10, 66)], to: 100)
    let single = beat(72)
    try await store.save(single)
    let cases: [(NSPredicate, [HKSample])] = [
      (NSPredicate(format: "%K == 3", HKPredicateKeyPathCount), [series]),
      (NSPredicate(format: "%K == 1", HKPredicateKeyPathCount), [single]),
      (NSPredicate(format: "%K >= 1", HKPredicateKeyPathCount), [series, single]),
      (NSPredicate(format: "%K < %@", HKPredicateKeyPathMin, rate(61)), [series]),
      (NSPredicate(format: "%K > %@", HKPredicateKeyPathMin, rate(61)), [single]),
      (NSPredicate(format: "%K == %@", HKPredicateKeyPathMax, rate(90)), [series]),
      (NSPredicate(format: "%K == %@", HKPredicateKeyPathAverage, rate(70)), []),
      (NSPredicate(format: "%K == %@", HKPredicateKeyPathMostRecent, rate(66)), [series]),
      (
        NSPredicate(format: "%K == %@", HKPredicateKeyPathMostRecentStartDate, date(20)), [series]
      ),
      (NSPredicate(format: "%K == %@", HKPredicateKeyPathMostRecentEndDate, date(30)), [series]),
      (NSPredicate(format: "%K <= %@", HKPredicateKeyPathMostRecentEndDate, date(29)), [single]),
      (NSPredicate(format: "%K == 10", HKPredicateKeyPathMostRecentDuration), [series]),
      (NSPredicate(format: "%K == 0", HKPredicateKeyPathMostRecentDuration), [single]),
    ]
    let all = try await store.samples(heartRate)
    for (predicate, expected) in cases {
      let found = try await store.samples(heartRate, predicate: predicate)
      #expect(Set(found) == Set(expected), "\(predicate)")
      #expect(Set(all.filter { predicate.evaluate(with: $0) }) == Set(expected), "\(predicate)")
      #expect([series, single].filter { predicate.evaluate(with: $0) } == expected, "\(predicate)")
    }
    #expect(
      try await store.samples(
        steps, predicate: NSPredicate(format: "%K >= %@", HKPredicateKeyPathMin, rate(0))
      ).isEmpty)
  }

  @Test func `Statistics of a workout and its activities include a series' values`()
    async throws
  {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
    try await builder.beginCollection(at: start)
    try await builder.addWorkoutActivity(
      HKWorkoutActivity(
        workoutConfiguration: configuration, start: date(100), end: date(200), metadata: nil))
    let stored = try await saved(
      heartRate, beatsPerMinute, [(0, 0, 60), (110, 0, 150), (190, 0, 130), (250, 0, 80)])
    try await builder.addSamples([stored])
    try await builder.endCollection(at: date(300))
    let workout = try #require(try await builder.finishWorkout())
    let whole = try #require(workout.statistics(for: heartRate))
    #expect(whole.minimumQuantity() == rate(60) && whole.maximumQuantity() == rate(150))
    #expect(whole.averageQuantity() == rate(105))
    #expect(whole.mostRecentQuantity() == rate(80))
    let part = try #require(workout.workoutActivities.first?.statistics(for: heartRate))
    #expect(part.minimumQuantity() == rate(130) && part.averageQuantity() == rate(140))

    let energy = HKQuantityType(.activeEnergyBurned)
    let later = try await saved(energy, .kilocalorie(), [(90, 20, 10), (150, 10, 7), (290, 5, 1)])
    try await store.addSamples([later], to: workout)
    let read = try #require(try await store.samples(HKObjectType.workoutType()).first as? HKWorkout)
    #expect(read.statistics(for: energy)?.sumQuantity()?.doubleValue(for: .kilocalorie()) == 18)
    #expect(
      read.workoutActivities.first?.statistics(for: energy)?.sumQuantity()?
        .doubleValue(for: .kilocalorie()) == 12)
  }

  @Test func `A series sample without its points is not saved`() async throws {
    let series = try await saved(heartRate, beatsPerMinute, [(0, 0, 60), (10, 0, 64)])
    let other = HKHealthStore.inMemory()
    #expect(await code { try await other.save(series) } == nil)
    let read = try #require(try await store.samples(heartRate).first)
    let third = HKHealthStore.inMemory()
    #expect(await code { try await third.save(read) } == .errorInvalidArgument)
    #expect(try await third.samples(heartRate).isEmpty)
  }

  @Test func `A series ends at a known date`() async throws {
    let builder = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: heartRate, startDate: start, device: nil)
    try builder.insert(rate(60), at: start)
    #expect(
      await code { try await builder.finishSeries(metadata: nil, endDate: .distantFuture) }
        == .errorInvalidArgument)
  }
}
